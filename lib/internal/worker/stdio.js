'use strict';

// Standard streams across threads. A PortWriter posts what is written to it; the PortReader at the other end hands it out.
// Messages: { type: 'stdio', stream, chunk, encoding, wantsAnswer } and { type: 'stdioMore', stream }.
//
// Nothing may be lost when a worker ends, so a writer posts at once; only its callbacks wait, while the reader is behind.

const { ArrayPrototypePush, Symbol } = primordials;
const { Readable, Writable } = require('stream');

const kWaiting = Symbol('kWaiting'); // On a port: how many streams keep it alive.

// How much may be on its way before a writer waits for the reader.
const kMostUnanswered = 64 * 1024;

function holdPort(port) {
  const count = port[kWaiting] ?? 0;
  port[kWaiting] = count + 1;
  if (count === 0) port.ref();
}

function releasePort(port) {
  if (--port[kWaiting] === 0) port.unref();
}

class PortWriter extends Writable {
  #port;
  #name;
  #unanswered = 0;
  #callbacks = [];

  constructor(port, name) {
    super({ decodeStrings: false, emitClose: false });
    this.#port = port;
    this.#name = name;
  }

  _write(chunk, encoding, callback) {
    this.#unanswered += chunk.length;
    const isBehind = this.#unanswered > kMostUnanswered && !process._exiting;
    this.#port.postMessage({ type: 'stdio', stream: this.#name, chunk, encoding, wantsAnswer: isBehind });
    if (!isBehind) {
      callback();
      return;
    }
    ArrayPrototypePush(this.#callbacks, callback);
    if (this.#callbacks.length === 1) holdPort(this.#port);
  }

  _final(callback) {
    this.#port.postMessage({ type: 'stdio', stream: this.#name, chunk: null, encoding: '', wantsAnswer: false });
    callback();
  }

  // The reader has caught up; or the thread ends, and there is nothing left to wait for.
  answer() {
    this.#unanswered = 0;
    const callbacks = this.#callbacks;
    if (callbacks.length === 0) return;
    this.#callbacks = [];
    releasePort(this.#port);
    for (let i = 0; i < callbacks.length; i++) callbacks[i]();
  }
}

class PortReader extends Readable {
  #port;
  #name;
  #isAsked = false;
  #holdsPort;
  #isHolding = false;

  // `holdsPort`: while somebody reads, the thread stays alive for what may come.
  constructor(port, name, holdsPort) {
    super();
    this.#port = port;
    this.#name = name;
    this.#holdsPort = holdsPort;
  }

  _read() {
    if (this.#holdsPort && !this.#isHolding) {
      this.#isHolding = true;
      holdPort(this.#port);
    }
    if (!this.#isAsked) return;
    this.#isAsked = false;
    this.#port.postMessage({ type: 'stdioMore', stream: this.#name });
  }

  receive({ chunk, encoding, wantsAnswer }) {
    if (wantsAnswer) this.#isAsked = true;
    if (chunk === null) this.finish();
    else this.push(chunk, encoding);
  }

  finish() {
    if (this.#isHolding) releasePort(this.#port);
    this.#isHolding = false;
    this.#holdsPort = false;
    if (!this.readableEnded) this.push(null);
  }
}

// What a starter has of a worker's output. Few look at worker.stdout: until then there is no stream, and what comes goes
// where it would have been piped to.
class WorkerOutput {
  #port;
  #name;
  #isPiped;
  #stream;
  #isFinished = false;

  constructor(port, name, isPiped) {
    this.#port = port;
    this.#name = name;
    this.#isPiped = isPiped;
  }

  get stream() {
    if (this.#stream === undefined) {
      this.#stream = new PortReader(this.#port, this.#name, false);
      if (this.#isPiped) this.#pipe(process[this.#name]);
      if (this.#isFinished) this.#stream.finish();
    }
    return this.#stream;
  }

  // Many workers may be piped into the same stream, which is no leak.
  #pipe(target) {
    const max = target.getMaxListeners();
    target.setMaxListeners(0);
    this.#stream.pipe(target, { end: false });
    target.setMaxListeners(max);
  }

  receive(message) {
    if (this.#stream !== undefined || !this.#isPiped) {
      this.stream.receive(message);
      return;
    }
    if (message.chunk !== null) process[this.#name].write(message.chunk, message.encoding);
    if (message.wantsAnswer) this.#port.postMessage({ type: 'stdioMore', stream: this.#name });
  }

  finish() {
    this.#isFinished = true;
    this.#stream?.finish();
  }
}

module.exports = { PortReader, PortWriter, WorkerOutput };
