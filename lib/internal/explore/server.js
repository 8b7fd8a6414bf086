'use strict';
// A server of runs: a process that has started everything but the program, and makes a process for each run
// (src/explore/fork_server.h).
const { Buffer } = require('buffer');
const { spawn } = require('child_process');

// Offsets within an answer and within its entries, from the C++ structs.
const { answer: kAnswer, ends, entry: kEntry, letters, nowhere, outsides } = internalBinding('explore');

function outsideNames(bits) {
  return Object.keys(outsides).filter((name) => bits & outsides[name]);
}

// Decodes the result of one run: its decisions, its output, and how it ended.
function parseAnswer(frame) {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const u32 = (at) => view.getUint32(at, true);
  const count = u32(kAnswer.kDecisions);
  const entries = Math.min(count, kEntry.kMost);
  const decisions = new Array(entries);
  for (let i = 0, at = kAnswer.kSize; i < entries; i++, at += kEntry.kSize) {
    decisions[i] = {
      // 53 of 64 bits are enough to identify a state.
      state: (u32(at + kEntry.kState + 4) & 0x1fffff) * 2 ** 32 + u32(at + kEntry.kState),
      options: u32(at + kEntry.kOptions),
      picked: u32(at + kEntry.kPicked),
      letter: letters[u32(at + kEntry.kPoint)],
    };
  }
  let at = kAnswer.kSize + entries * kEntry.kSize;
  const take = (size) => frame.toString('utf8', at, at += size);
  const stdout = take(u32(kAnswer.kStdoutKept));
  const stderr = take(u32(kAnswer.kStderrKept));
  const divergedAt = u32(kAnswer.kDivergedAt);
  const log = take(u32(kAnswer.kTextSize));
  const ports = Array.from({ length: u32(kAnswer.kPorts) }, (_, i) => view.getUint16(at + 2 * i, true));
  return {
    how: ends[u32(kAnswer.kHow)],
    code: view.getInt32(kAnswer.kCode, true),
    decisions,
    isCut: count > entries,
    divergedAt: divergedAt === nowhere ? -1 : divergedAt,
    outside: outsideNames(u32(kAnswer.kOutside)),
    stdout,
    stderr,
    stdoutSize: view.getFloat64(kAnswer.kStdoutTotal, true),
    stderrSize: view.getFloat64(kAnswer.kStderrTotal, true),
    stdoutHash: view.getBigUint64(kAnswer.kStdoutHash, true),
    milliseconds: view.getFloat64(kAnswer.kTookMs, true),
    log,
    ports,
  };
}

class Server {
  // `execArgv` are options of rondo, `program` the script and its arguments, `folder` where temporary files go.
  constructor(execArgv, program, folder) {
    this.waiting = null;
    this.ended = null;
    this.chunks = [];
    this.size = 0;
    this.folder = folder;
    this.child = spawn(process.execPath, [`--explore-server=${folder}`, ...execArgv, ...program],
      // In a separate session: Ctrl-C reaches only this process, which ends the server by closing the channel.
      { stdio: ['ignore', 'ignore', 'pipe', 'pipe'], detached: true });
    this.channel = this.child.stdio[3];
    this.channel.on('data', (chunk) => this.#take(chunk));
    let failure = null;
    this.channel.on('error', (error) => { failure ??= error; });
    let stderr = '';
    this.child.stderr.on('data', (chunk) => { stderr += chunk; });
    this.child.on('close', (code, signal) => {
      // A server that ends by itself prints the reason. Without any output it was killed or crashed: report that.
      const how = failure?.message ?? (signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`);
      stderr ||= `rondo explore: lost the process that runs the program: ${how}. Try again.\n`;
      this.ended = { code, signal, stderr };
      this.#settle(null);
    });
  }

  #take(chunk) {
    this.chunks.push(chunk);
    this.size += chunk.length;
    if (this.size < 4) return;
    if (this.chunks.length > 1 && this.chunks[0].length < 4) this.chunks = [Buffer.concat(this.chunks)];
    const wanted = this.chunks[0].readUInt32LE(0) + 4;
    if (this.size < wanted) return;
    const frame = this.chunks.length === 1 ? this.chunks[0] : Buffer.concat(this.chunks);
    this.chunks = [];
    this.size = 0;
    this.#settle(parseAnswer(frame.subarray(4)));
  }

  #settle(answer) {
    const waiting = this.waiting;
    this.waiting = null;
    if (waiting !== null) waiting(answer);
  }

  // Runs one schedule at a time. Returns null if the server has ended; `ended` has the reason.
  run(schedule, { limit = 10_000, seed = '-', describes = false } = {}) {
    return new Promise((resolve) => {
      if (this.ended !== null) return resolve(null);
      this.waiting = resolve;
      const text = Buffer.from(`${limit} ${describes ? 1 : 0} ${seed} ${schedule}`);
      const size = Buffer.alloc(4);
      size.writeUInt32LE(text.length);
      this.channel.write(Buffer.concat([size, text]));
    });
  }

  // Ends the server now. It kills the run in progress and removes its files.
  abandon() {
    return new Promise((resolve) => {
      if (this.ended !== null) return resolve();
      this.child.on('close', resolve);
      this.channel.destroy();
    });
  }

  close() {
    return new Promise((resolve) => {
      if (this.ended !== null) return resolve();
      this.child.on('close', resolve);
      this.channel.end();
    });
  }
}

module.exports = { Server };
