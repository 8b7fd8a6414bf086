'use strict';
// Parses the format of docs/TRACE-FORMAT.md. Traces are untrusted: truncated, damaged or malicious. A bad header throws
// an error that says so; bad records are skipped and counted. No size in the file is trusted beyond the bytes that are
// there.
const {
  kHeaderSize,
  kRecordSize,
  kVersion,
  kOldestVersion,
  kMagic,
  kHasEnded,
  kNamesUsedUp,
  kIsVirtual,
  kDiskFull,
  headerFields,
  nameKinds,
} = require('internal/trace/format');

const kLongestCommandLine = 3900;
const kMostRecords = 2 ** 24; // Half a gibibyte. Of a larger ring the last ones are read.
const kMostNames = 2 ** 28; // Bytes.
const kMostFrames = 128;
// As paths are. A name is repeated wherever it is used, and must not make gigabytes of megabytes.
const kLongestText = 4096;
const kNoFrames = [];
const kNoPlace = { functionName: '', file: '', line: 0, column: 0 };

class TraceError extends Error {
  constructor(message) {
    super(message);
    this.name = 'TraceError';
    this.code = 'ERR_RONDO_TRACE';
  }
}

function isCount(number, most) {
  return Number.isInteger(number) && number >= 0 && number <= most;
}

function parseCommandLine(view, bytes) {
  const length = view.getUint32(headerFields.commandLineLength, true);
  if (length > kLongestCommandLine) return [];
  const from = headerFields.commandLine;
  try {
    const words = JSON.parse(new TextDecoder().decode(bytes.subarray(from, from + length)));
    return Array.isArray(words) ? words.map(String) : [];
  } catch {
    return [];
  }
}

// Decodes the header, the first kHeaderSize bytes.
function readHeader(bytes) {
  if (bytes.length >= kMagic.length) {
    for (let i = 0; i < kMagic.length; i++) {
      if (bytes[i] === kMagic.charCodeAt(i)) continue;
      throw new TraceError('not a Rondo trace (bad magic). Record one with rondo --trace-file=FILE app.js');
    }
  }
  if (bytes.length < kHeaderSize) {
    throw new TraceError(`truncated: it ends after ${bytes.length} bytes, within its header`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, kHeaderSize);
  const version = view.getUint32(headerFields.version, true);
  if (version < kOldestVersion || version > kVersion) {
    throw new TraceError(
      `its format has version ${version}, but this rondo reads versions ${kOldestVersion} to ${kVersion}`);
  }
  const flags = view.getUint32(headerFields.flags, true);
  const header = {
    pid: view.getUint32(headerFields.pid, true),
    threadId: view.getUint32(headerFields.threadId, true),
    hasEnded: (flags & kHasEnded) !== 0,
    hasUsedUpNames: (flags & kNamesUsedUp) !== 0,
    isVirtual: (flags & kIsVirtual) !== 0,
    wasDiskFull: (flags & kDiskFull) !== 0,
    namesRoom: view.getFloat64(headerFields.namesRoom, true),
    capacity: view.getFloat64(headerFields.capacity, true),
    written: view.getFloat64(headerFields.written, true),
    namesBytes: view.getFloat64(headerFields.namesBytes, true),
    namesCount: view.getFloat64(headerFields.namesCount, true),
    startedAt: view.getFloat64(headerFields.startedAt, true),
    startedAtMonotonic: view.getFloat64(headerFields.startedAtMonotonic, true),
    exitCode: view.getFloat64(headerFields.exitCode, true),
    commandLine: parseCommandLine(view, bytes),
  };
  const isSane = isCount(header.namesRoom, 2 ** 48) && isCount(header.capacity, 2 ** 48) && header.capacity > 0 &&
    isCount(header.written, Number.MAX_SAFE_INTEGER) && isCount(header.namesBytes, header.namesRoom) &&
    isCount(header.namesCount, header.namesBytes);
  if (!isSane) throw new TraceError('its header is damaged: impossible sizes');
  if (!(Math.abs(header.startedAt) <= 8.64e15)) header.startedAt = 0;
  if (!Number.isFinite(header.startedAtMonotonic)) header.startedAtMonotonic = 0;
  if (!Number.isInteger(header.exitCode)) header.exitCode = -1;
  return header;
}

// The table of names. Texts are decoded on first use. A missing entry, or one of another kind than requested, is empty.
class Names {
  constructor(bytes, wanted) {
    const offsets = [0];
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let at = 0;
    while (offsets.length <= wanted && at + 8 <= bytes.length) {
      const length = this.view.getUint32(at, true);
      if (length > bytes.length - at - 8 || this.view.getUint32(at + 4, true) > nameKinds.stack) break;
      offsets.push(at);
      at += 8 + length + (-length & 3);
    }
    this.offsets = Uint32Array.from(offsets);
    this.count = offsets.length - 1;
    this.missing = wanted - this.count;
    this.texts = [''];
    this.places = [kNoPlace];
    this.decoder = new TextDecoder();
  }

  // The offset of the content of entry `n`, or -1 if it is not of this kind.
  find(n, kind) {
    if (!(n > 0 && n <= this.count)) return -1;
    const at = this.offsets[n];
    return this.view.getUint32(at + 4, true) === kind ? at + 8 : -1;
  }

  text(n) {
    const known = this.texts[n];
    if (known !== undefined) return known;
    const at = this.find(n, nameKinds.text);
    if (at < 0) return '';
    return this.texts[n] = this.decoder.decode(this.bytes.subarray(at, at +
      Math.min(this.view.getUint32(at - 8, true), kLongestText)));
  }

  // { functionName, file, line, column }; all empty if it is unknown.
  place(n) {
    const known = this.places[n];
    if (known !== undefined) return known;
    const at = this.find(n, nameKinds.place);
    if (at < 0 || this.view.getUint32(at - 8, true) < 16) return kNoPlace;
    return this.places[n] = {
      functionName: this.text(this.view.getUint32(at, true)),
      file: this.text(this.view.getUint32(at + 4, true)),
      line: this.view.getUint32(at + 8, true),
      column: this.view.getUint32(at + 12, true),
    };
  }

  // Places, from the innermost outwards.
  stack(n) {
    const at = this.find(n, nameKinds.stack);
    if (at < 0) return kNoFrames;
    const count = Math.min(this.view.getUint32(at - 8, true) >>> 2, kMostFrames);
    return Array.from({ length: count }, (_, i) => this.place(this.view.getUint32(at + 4 * i, true)));
  }
}

// Reads a trace from memory or from a file: read(offset, length) returns that many bytes, or fewer at the end.
function readParts(read, size) {
  const head = read(0, kHeaderSize);
  const header = readHeader(head);
  const { capacity, written } = header;
  const names = new Names(read(kHeaderSize, Math.min(header.namesBytes, kMostNames)), header.namesCount);

  // Of a ring that is cut short only some slots are there; it is read as far as its records follow one another up to
  // the last one written.
  const from = kHeaderSize + header.namesRoom;
  const slots = Math.min(capacity, Math.max(0, Math.floor((size - from) / kRecordSize)));
  let first = Math.max(0, written - Math.min(capacity, kMostRecords));
  let last = written;
  if (slots < capacity) {
    // The number of the record in the ring's first slot. Records from there to the end of the file are available.
    const inSlotZero = written <= capacity ? 0 : written - (written % capacity || capacity);
    first = Math.max(first, inSlotZero);
    last = Math.max(first, Math.min(written, inSlotZero + slots));
  }
  const count = last - first;
  const bytes = new Uint8Array(count * kRecordSize);
  let got = 0;
  while (got < count) {
    const slot = (first + got) % capacity;
    const part = read(from + slot * kRecordSize, Math.min(count - got, capacity - slot) * kRecordSize);
    if (part.length < kRecordSize) break;
    const whole = part.length - part.length % kRecordSize;
    bytes.set(part.subarray(0, whole), got * kRecordSize);
    got += whole / kRecordSize;
  }
  return { header, names, bytes, first, count: got, dropped: first, cut: Math.max(0, written - first - got) };
}

// Records, oldest first, as views of one memory: record i has its time in f64[4 * i], its id in f64[4 * i + 2], its
// value in f64[4 * i + 3]; kind, phase and detail in u32[8 * i + 2], name in u32[8 * i + 3], first and second in u32[8
// * i + 6] and u32[8 * i + 7].
class Trace {
  constructor({ header, names, bytes, first, count, dropped, cut }) {
    this.header = header;
    this.names = names;
    this.count = count;
    this.firstNumber = first;
    this.dropped = dropped; // Records that the ring no longer has.
    this.cut = cut; // And those that are missing because the file is too short.
    this.f64 = new Float64Array(bytes.buffer, 0, count * 4);
    this.u32 = new Uint32Array(bytes.buffer, 0, count * 8);
  }

  // Of a program that runs on meanwhile the oldest may have been overwritten while they were read.
  forget(count) {
    if (count <= 0) return;
    const gone = Math.min(count, this.count);
    this.f64 = this.f64.subarray(gone * 4);
    this.u32 = this.u32.subarray(gone * 8);
    this.count -= gone;
    this.firstNumber += gone;
    this.dropped += gone;
  }
}

// readTrace(bytes): a whole file, as a Uint8Array.
function readTrace(bytes) {
  return new Trace(readParts((offset, length) => {
    const from = Math.min(offset, bytes.length);
    return bytes.subarray(from, Math.min(from + length, bytes.length));
  }, bytes.length));
}

module.exports = { TraceError, Names, Trace, readHeader, readParts, readTrace };
