'use strict';

// Standard streams across threads. A PortWriter posts its chunks; the PortReader at the other end delivers them.
// Messages: { type: 'stdio', stream, chunks: [{ chunk, encoding }] } and { type: 'stdioMore', stream }.
//
// As in Node, a write is finished when the reader requests more, and keeps the thread alive until then. When the thread
// exits, all queued chunks are posted.

const { ArrayPrototypePush, Symbol } = primordials;
const { Readable, Writable } = require('stream');

const kWaiting = Symbol('kWaiting'); // On a port: the number of streams that keep it alive.

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
  #callback = null; // Callback of the write that the reader has not acknowledged.

  constructor(port, name) {
    super({ decodeStrings: false, emitClose: false });
    this.#port = port;
    this.#name = name;
  }

  _writev(chunks, callback) {
    const toSend = [];
    for (let i = 0; i < chunks.length; i++) {
      const { chunk, encoding } = chunks[i];
      ArrayPrototypePush(toSend, { chunk, encoding });
    }
    this.#port.postMessage({ type: 'stdio', stream: this.#name, chunks: toSend });
    if (process._exiting) {
      callback();
      return;
    }
    this.#callback = callback;
    holdPort(this.#port);
  }

  _final(callback) {
    this.#port.postMessage({ type: 'stdio', stream: this.#name, chunks: [{ chunk: null, encoding: '' }] });
    callback();
  }

  // Called when the reader requests more, or when the thread exits without waiting for the reader.
  answer() {
    const callback = this.#callback;
    if (callback === null) return;
    this.#callback = null;
    callback();
    releasePort(this.#port);
  }
}

class PortReader extends Readable {
  #port;
  #name;
  #holdsPort;
  #isHolding = false;

  // `holdsPort`: the stream keeps the thread alive from the first read to its end.
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
    this.#port.postMessage({ type: 'stdioMore', stream: this.#name });
  }

  receive(chunks) {
    for (let i = 0; i < chunks.length; i++) {
      const { chunk, encoding } = chunks[i];
      if (chunk === null) this.finish();
      else this.push(chunk, encoding);
    }
  }

  finish() {
    if (this.#isHolding) releasePort(this.#port);
    this.#isHolding = false;
    this.#holdsPort = false;
    if (!this.readableEnded) this.push(null);
  }
}

// Calls a function that adds a listener to a stream shared by many workers, where more than ten listeners are not a
// leak.
function withoutListenerLimit(target, addListener) {
  const max = target.getMaxListeners();
  target.setMaxListeners(0);
  addListener();
  target.setMaxListeners(max);
}

// The output of a worker, in the parent thread. Few programs use worker.stdout, so the stream is created on first use;
// before that, output is written directly to the stream of the process that it would be piped to.
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
      if (this.#isPiped) {
        const target = process[this.#name];
        withoutListenerLimit(target, () => this.#stream.pipe(target, { end: false }));
      }
      if (this.#isFinished) this.#stream.finish();
    }
    return this.#stream;
  }

  receive({ chunks }) {
    if (this.#stream !== undefined || !this.#isPiped) this.stream.receive(chunks);
    else this.#forward(chunks, process[this.#name]);
  }

  #forward(chunks, target) {
    let hasRoom = true;
    for (let i = 0; i < chunks.length; i++) {
      const { chunk, encoding } = chunks[i];
      if (chunk !== null) hasRoom = target.write(chunk, encoding);
    }
    const requestMore = () => this.#port.postMessage({ type: 'stdioMore', stream: this.#name });
    if (hasRoom) process.nextTick(requestMore);
    else withoutListenerLimit(target, () => target.once('drain', requestMore));
  }

  finish() {
    this.#isFinished = true;
    this.#stream?.finish();
  }
}

module.exports = { PortReader, PortWriter, WorkerOutput };
