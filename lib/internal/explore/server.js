'use strict';
// A server of runs: a process that has started everything but the program, and makes a process for each run
// (src/explore/fork_server.h).
const { Buffer } = require('buffer');
const { spawn } = require('child_process');

const kHeader = 72; // Of an answer: `struct Answer`.
const kEntry = 24; // Of a decision: `RunRecord::Entry`.
const kMostEntries = 1 << 16;
const kLetters = 'tcbe';
const kHow = ['exit', 'signal', 'timeout'];
const kOutside = ['worker threads', 'child processes', 'the network'];

function outsideNames(bits) {
  return kOutside.filter((_, i) => bits & (1 << i));
}

// Decodes the result of one run: its decisions, its output, and how it ended.
function parseAnswer(frame) {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const u32 = (at) => view.getUint32(at, true);
  const count = u32(8);
  const entries = Math.min(count, kMostEntries);
  const sizes = [u32(24), u32(28)];
  const decisions = new Array(entries);
  for (let i = 0, at = kHeader; i < entries; i++, at += kEntry) {
    decisions[i] = {
      // 53 bits of it are as good as 64.
      state: (u32(at + 4) & 0x1fffff) * 2 ** 32 + u32(at),
      options: u32(at + 8),
      picked: u32(at + 12),
      letter: kLetters[u32(at + 16)],
    };
  }
  let at = kHeader + entries * kEntry;
  const take = (size) => frame.toString('utf8', at, at += size);
  const stdout = take(sizes[0]);
  const stderr = take(sizes[1]);
  return {
    how: kHow[u32(0)],
    code: view.getInt32(4, true),
    decisions,
    isCut: count > entries,
    divergedAt: u32(12) === 0xffffffff ? -1 : u32(12),
    outside: outsideNames(u32(16)),
    stdout,
    stderr,
    stdoutSize: view.getFloat64(32, true),
    stderrSize: view.getFloat64(40, true),
    stdoutHash: view.getBigUint64(48, true),
    milliseconds: view.getFloat64(64, true),
    log: take(u32(20)),
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
      // In a session of its own: Ctrl-C reaches us, and we end it by closing the channel.
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

  // One at a time. null if the server has gone: `ended` tells how.
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

  // Ends it now, with the run that is under way. The server kills that and removes its files.
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
