'use strict';
// Serves the page while the program runs. The server is in the parent process, never on the loop that is traced. It
// reads the file into which the program records, and sends new records to the page. Access needs an unguessable token
// in the URL, and the server listens on the loopback address only and checks the host name.
const { tryGetCwd } = require('internal/process/cwd');
const fs = require('fs');
const { spawn } = require('child_process');
const { randomBytes, timingSafeEqual } = require('crypto');
const { findWorkerFiles } = require('internal/trace/files');
const { kHeaderSize, kRecordSize } = require('internal/trace/format');
const { pageOf, readSource } = require('internal/trace/html');
const { LoopbackServer } = require('internal/trace/http');
const { Names, readHeader } = require('internal/trace/reader');

const kMostRecords = 1 << 18; // Per answer; the page sends another request for more.

// One file that is being recorded into. It stays open, so that it can be read after it was removed.
class Source {
  constructor(file) {
    this.file = file;
    this.fd = fs.openSync(file, 'r');
  }

  read(offset, length) {
    const bytes = Buffer.alloc(length);
    let got = 0;
    while (got < length) {
      const count = fs.readSync(this.fd, bytes, got, length - got, offset + got);
      if (count === 0) break;
      got += count;
    }
    return bytes;
  }

  header() {
    return readHeader(this.read(0, kHeaderSize));
  }

  names() {
    const { namesBytes, namesCount } = this.header();
    return new Names(this.read(kHeaderSize, namesBytes), namesCount);
  }

  // The part of the trace that the page lacks: names from a byte offset on, and records from a number on. The layout is
  // the header; four numbers (the offset of the names, the first record, the number of records, and 0); names; records.
  piece(namesFrom, from) {
    const head = this.read(0, kHeaderSize);
    const { capacity, written, namesRoom, namesBytes } = readHeader(head);
    const start = Math.min(namesFrom, namesBytes);
    const names = this.read(kHeaderSize + start, namesBytes - start);
    let first = Math.min(Math.max(from, written - capacity, 0), written);
    let count = Math.min(written - first, kMostRecords);
    let records = this.records(kHeaderSize + namesRoom, capacity, first, count);
    // Drop records that the program has overwritten meanwhile, including the one that it may be writing now.
    const lost = Math.min(count, Math.max(0, this.header().written + 1 - capacity - first));
    if (lost > 0) {
      records = records.subarray(lost * kRecordSize);
      first += lost;
      count -= lost;
    }
    const numbers = Buffer.alloc(32);
    numbers.writeDoubleLE(start, 0);
    numbers.writeDoubleLE(first, 8);
    numbers.writeDoubleLE(count, 16);
    return Buffer.concat([head, numbers, names, Buffer.alloc(-names.length & 7), records]);
  }

  records(base, capacity, first, count) {
    const slot = first % capacity;
    const before = Math.min(count, capacity - slot);
    const records = this.read(base + slot * kRecordSize, before * kRecordSize);
    return before === count ? records : Buffer.concat([records, this.read(base, (count - before) * kRecordSize)]);
  }

  close() {
    fs.closeSync(this.fd);
  }
}

function isGone(error) {
  return error.code === 'ENOENT';
}

class Live {
  constructor(file, folder) {
    this.file = file;
    this.folder = folder;
    this.token = randomBytes(16).toString('hex');
    this.sources = new Map(); // By thread.
    this.isRunning = true;
    this.server = new LoopbackServer((target) => this.respond(target));
  }

  // Opens files that have appeared since the last call.
  look() {
    try {
      if (!this.sources.has(0)) this.sources.set(0, new Source(this.file));
      for (const file of findWorkerFiles(this.file)) {
        const thread = Number(file.slice(file.lastIndexOf('.w') + 2));
        if (!this.sources.has(thread)) this.sources.set(thread, new Source(file));
      }
    } catch (error) {
      // The program has not begun to record yet.
      if (!isGone(error)) throw error;
    }
  }

  // The files whose header is complete.
  threads() {
    if (this.isRunning) this.look();
    return [...this.sources].filter(({ 1: source }) => {
      try {
        return source.header().capacity > 0;
      } catch {
        return false;
      }
    }).map(({ 0: thread }) => thread);
  }

  hasToken(given) {
    const token = Buffer.from(this.token);
    const bytes = Buffer.from(given);
    return bytes.length === token.length && timingSafeEqual(bytes, token);
  }

  respond(target) {
    const { 1: token, 2: what, 3: a, 4: b, 5: c, length } = target.split('/');
    if (!this.hasToken(token)) return { status: 404 };
    switch (what) {
      case undefined:
      case '':
        return length <= 3 ? this.page() : { status: 404 };
      case 'state':
        return length === 3 ? this.state() : { status: 404 };
      case 'trace':
        return length === 6 ? this.trace(a, b, c) : { status: 404 };
      case 'source':
        return length === 4 ? this.source(a) : { status: 404 };
      default:
        return { status: 404 };
    }
  }

  page() {
    const data = { live: { base: `/${this.token}` }, threads: [], sources: {} };
    return { type: 'text/html; charset=utf-8', body: pageOf(data, 'rondo trace') };
  }

  state() {
    // Read this before the files: if the program has ended here, the data that the page fetches next is complete.
    const running = this.isRunning;
    return { type: 'application/json', body: JSON.stringify({ running, threads: this.threads() }) };
  }

  trace(...words) {
    if (!words.every((word) => /^[0-9]{1,15}$/.test(word))) return { status: 400 };
    const { 0: thread, 1: names, 2: records } = words.map(Number);
    const source = this.sources.get(thread);
    if (source === undefined) return { status: 404 };
    return { type: 'application/octet-stream', body: source.piece(names, records) };
  }

  // Only files that a place of the trace names.
  source(word) {
    let file;
    try {
      file = decodeURIComponent(word);
    } catch {
      return { status: 400 };
    }
    for (const source of this.sources.values()) {
      const names = source.names();
      for (let n = 1; n <= names.count; n++) {
        if (names.place(n).file !== file) continue;
        const text = readSource(file, this.folder);
        return text === undefined ? { status: 404 } : { body: text };
      }
    }
    return { status: 404 };
  }

  close() {
    this.server.close();
    for (const source of this.sources.values()) source.close();
    this.sources.clear();
  }
}

// Opens the URL in a browser if there is a display. Best effort: failures are ignored.
function showInBrowser(url) {
  if (process.env.DISPLAY === undefined && process.env.WAYLAND_DISPLAY === undefined) return;
  try {
    const child = spawn('xdg-open', [url], { stdio: 'ignore', detached: true });
    child.on('error', () => {});
    child.unref();
  } catch {
    // The URL is printed on the terminal anyway.
  }
}

// Serves the page for the recording in `file`, made by `child`. The page stays when the program has ended, until
// Ctrl-C; then `whenDone`'s function is called.
function open({ file, child, folder = tryGetCwd() }) {
  const live = new Live(file, folder);
  let isDone = false;
  let finish;
  const done = () => {
    if (isDone) return;
    isDone = true;
    live.close();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeListener(signal, done);
    if (finish !== undefined) finish();
  };
  live.server.listen((error, port) => {
    if (error !== null) {
      process.stderr.write(`rondo trace: cannot serve the page: ${error.message}\n`);
      if (live.isRunning) child.once('exit', done);
      else done();
      return;
    }
    const url = `http://127.0.0.1:${port}/${live.token}/`;
    process.stderr.write(`rondo trace: watch the run at ${url}\n`);
    showInBrowser(url);
  });
  // Before the listeners that remove the file.
  child.prependListener('exit', () => {
    live.look();
    live.isRunning = false;
    if (isDone) return;
    process.stderr.write('rondo trace: the program has ended; the page is served until Ctrl-C\n');
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, done);
  });
  return {
    whenDone(callback) {
      finish = callback;
      if (isDone) callback();
    },
  };
}

module.exports = { Live, open };
