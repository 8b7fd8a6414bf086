'use strict';
// Traces on a disk: that of the main thread, NAME, and those of its workers, NAME.w1, NAME.w2 and so on.
const fs = require('fs');
const path = require('path');
const { refuse } = require('internal/commands/arguments');
const {
  headerFields,
  kDiskFull,
  kHasEnded,
  kHeaderSize,
  kIsVirtual,
  kMagic,
  kNamesUsedUp,
  kRecordSize,
  kVersion,
} = require('internal/trace/format');
const { Trace, TraceError, readParts } = require('internal/trace/reader');

const kChunk = 2 ** 22;

// As many bytes as there are, up to `length`. The file may be anything: a device or a pipe has no size, and is refused
// before.
function readAt(fd, offset, length) {
  const bytes = new Uint8Array(length);
  let got = 0;
  while (got < length) {
    const count = fs.readSync(fd, bytes, got, Math.min(kChunk, length - got), offset + got);
    if (count === 0) break;
    got += count;
  }
  return bytes.subarray(0, got);
}

function readCount(fd) {
  const head = readAt(fd, 0, 48);
  const { written } = headerFields;
  return head.length < written + 8 ? 0 : new DataView(head.buffer).getFloat64(written, true);
}

// Throws a TraceError that names the file, or the error of the system.
function readTraceFile(file) {
  const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    const stat = fs.fstatSync(fd);
    if (!stat.isFile()) throw new TraceError('not a regular file');
    const read = (offset, length) => readAt(fd, offset, Math.max(0, Math.min(length, stat.size - offset)));
    const trace = new Trace(readParts(read, stat.size));
    if (!trace.header.hasEnded) {
      // The program may still run: drop records that it may have overwritten, including the one that it may be writing
      // now.
      const now = readCount(fd);
      if (now > trace.header.written) trace.forget(now + 1 - trace.header.capacity - trace.firstNumber);
    }
    trace.file = file;
    return trace;
  } catch (error) {
    if (error instanceof TraceError) error.message = `cannot read ${file}: ${error.message}`;
    throw error;
  } finally {
    fs.closeSync(fd);
  }
}

// The files of the workers beside that of the main thread, by thread id.
function findWorkerFiles(file) {
  const folder = path.dirname(file);
  const start = `${path.basename(file)}.w`;
  return fs.readdirSync(folder)
    .filter((name) => name.startsWith(start) && /^[0-9]{1,9}$/.test(name.slice(start.length)))
    .sort((a, b) => a.slice(start.length) - b.slice(start.length))
    .map((name) => path.join(folder, name));
}

// The main thread's, which must be good, and its workers'; those that cannot be read are named in `failures`.
function readTraceFiles(file) {
  const traces = [readTraceFile(file)];
  const failures = [];
  for (const worker of findWorkerFiles(file)) {
    try {
      traces.push(readTraceFile(worker));
    } catch (error) {
      failures.push(error.message);
    }
  }
  return { traces, failures };
}

// True if an argument is a recording and not a program.
function isRecording(file) {
  if (/\.rtrace(?:\.w[0-9]+)?$/.test(file)) return true;
  try {
    const fd = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    try {
      return fs.fstatSync(fd).isFile() && Buffer.from(readAt(fd, 0, kMagic.length)).latin1Slice() === kMagic;
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    return false;
  }
}

// Reads a recording for a command. Ends the command if that fails.
function readRecording(command, file) {
  try {
    return readTraceFiles(file);
  } catch (error) {
    return refuse(command, error instanceof TraceError ? error.message : `cannot read ${file}: ${error.message}`, 1);
  }
}

// Opens the output of a command's report: FILE, stdout for `-`, or `usual` if no file was given.
function openOutput(command, file, usual) {
  if (file === undefined) return usual;
  if (file === '-') return process.stdout;
  try {
    fs.writeFileSync(file, '');
  } catch (error) {
    refuse(command, `cannot write ${file}: ${error.message}`);
  }
  return {
    isTTY: false,
    write(text) {
      try {
        fs.appendFileSync(file, text);
      } catch (error) {
        refuse(command, `cannot write ${file}: ${error.message}`, 1);
      }
    },
  };
}

function roundUp(number) {
  return number + (-number & 7);
}

// Writes a trace as a file of its own, without the room in it that was never used.
function writeTraceFile(trace, file) {
  const { header, names } = trace;
  const namesRoom = roundUp(names.bytes.length);
  let capacity = 1;
  while (capacity < trace.count) capacity *= 2;
  const head = Buffer.alloc(kHeaderSize);
  const words = Buffer.from(JSON.stringify(header.commandLine));
  head.write(kMagic, 'latin1');
  head.writeUInt32LE(kVersion, 8);
  head.writeUInt32LE(header.pid, 12);
  head.writeUInt32LE(header.threadId, 16);
  head.writeUInt32LE((header.hasEnded ? kHasEnded : 0) | (header.hasUsedUpNames ? kNamesUsedUp : 0) |
    (header.isVirtual ? kIsVirtual : 0) | (header.wasDiskFull ? kDiskFull : 0), 20);
  head.writeDoubleLE(namesRoom, 24);
  head.writeDoubleLE(capacity, 32);
  head.writeDoubleLE(trace.firstNumber + trace.count, 40);
  head.writeDoubleLE(names.bytes.length, 48);
  head.writeDoubleLE(names.count, 56);
  head.writeDoubleLE(header.startedAt, 64);
  head.writeDoubleLE(header.startedAtMonotonic, 72);
  head.writeDoubleLE(header.exitCode, 80);
  if (words.length <= kHeaderSize - 96) {
    head.writeUInt32LE(words.length, 88);
    words.copy(head, 96);
  }
  const fd = fs.openSync(file, 'w');
  try {
    fs.writeSync(fd, head, 0, head.length, 0);
    if (names.bytes.length > 0) writeAll(fd, names.bytes, kHeaderSize);
    const from = kHeaderSize + namesRoom;
    const records = new Uint8Array(trace.f64.buffer, trace.f64.byteOffset, trace.count * kRecordSize);
    // Record n stands at n % capacity.
    const slot = trace.firstNumber % capacity;
    const before = Math.min(trace.count, capacity - slot);
    writeAll(fd, records.subarray(0, before * kRecordSize), from + slot * kRecordSize);
    writeAll(fd, records.subarray(before * kRecordSize), from);
    fs.ftruncateSync(fd, from + capacity * kRecordSize);
  } finally {
    fs.closeSync(fd);
  }
}

function writeAll(fd, bytes, offset) {
  for (let done = 0; done < bytes.length;) {
    done += fs.writeSync(fd, bytes, done, Math.min(kChunk, bytes.length - done), offset + done);
  }
}

// Writes the strings or bytes that `pieces` yields.
function writePieces(file, pieces) {
  const fd = fs.openSync(file, 'w');
  try {
    for (const piece of pieces) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      for (let done = 0; done < bytes.length;) done += fs.writeSync(fd, bytes, done, bytes.length - done);
    }
  } finally {
    fs.closeSync(fd);
  }
}

module.exports = {
  isRecording,
  openOutput,
  readRecording,
  readTraceFile,
  readTraceFiles,
  findWorkerFiles,
  writeTraceFile,
  writePieces,
};
