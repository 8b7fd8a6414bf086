'use strict';
// The inside of a ReadableStream with that of its controller, and of its reader: the standard's state machine. A read
// request is an object with onChunk(value), onClose(value) and onError(error), of which one is called, once.
const { FunctionPrototypeCall, PromisePrototypeThen, PromiseReject, PromiseResolve } = primordials;
const { codes: { ERR_INVALID_STATE } } = require('internal/errors');
const {
  Fifo,
  Outcome,
  SizedQueue,
  countOne,
  follow,
  followStart,
  kNothing,
  nop,
} = require('internal/webstreams/util');

// Both kinds of sources have these. DefaultSource and ByteSource add the queue, and:
//   take(): the next chunk, if one is buffered, or kNothing
//   park(request): waits for a chunk, as nothing is buffered
//   clear(): drops all that is buffered
//   queueTotal: how much that is
// All properties are declared, because an assignment could call a setter that a program added to Object.prototype.
class ReadableCore {
  pullAlgorithm;
  cancelAlgorithm;
  highWaterMark;
  stream = undefined;
  controller = undefined;
  state = 'readable';
  storedError = undefined;
  reader = undefined;
  isDisturbed = false;
  isStarted = false;
  isCloseRequested = false;
  #isPulling = false;
  #pullsAgain = false;
  #onPulled = undefined;
  #onPullFailed = undefined;
  #closed = undefined;

  constructor({ pull, cancel }, highWaterMark) {
    this.pullAlgorithm = pull;
    this.cancelAlgorithm = cancel;
    this.highWaterMark = highWaterMark;
  }

  start(algorithm) {
    followStart(algorithm(), () => {
      this.isStarted = true;
      this.pullIfNeeded();
    }, (error) => this.error(error));
  }

  get isLocked() {
    return this.reader !== undefined;
  }

  get isOpen() {
    return this.state === 'readable' && !this.isCloseRequested;
  }

  get desiredSize() {
    if (this.state === 'errored') return null;
    return this.state === 'closed' ? 0 : this.highWaterMark - this.queueTotal;
  }

  // The end of the stream, for finished() and similar functions.
  get closed() {
    if (this.#closed === undefined) {
      this.#closed = this.state === 'readable' ? new Outcome() :
        this.state === 'closed' ? Outcome.resolved() : Outcome.rejected(this.storedError);
    }
    return this.#closed;
  }

  // ---- Reading

  read(request) {
    this.isDisturbed = true;
    if (this.state === 'closed') {
      request.onClose(undefined);
    } else if (this.state === 'errored') {
      request.onError(this.storedError);
    } else {
      const chunk = this.take();
      if (chunk === kNothing) this.park(request);
      else request.onChunk(chunk);
    }
  }

  cancel(reason) {
    this.isDisturbed = true;
    if (this.state === 'closed') return PromiseResolve();
    if (this.state === 'errored') return PromiseReject(this.storedError);
    this.finish();
    if (this.reader?.isBYOB) this.reader.drain((request) => request.onClose(undefined));
    this.clear();
    const { cancelAlgorithm } = this;
    const promise = cancelAlgorithm(reason);
    this.clearAlgorithms();
    return PromisePrototypeThen(promise, nop);
  }

  // ---- Ends

  finish() {
    this.state = 'closed';
    this.#closed?.resolve();
    const { reader } = this;
    if (reader === undefined) return;
    reader.closed.resolve();
    if (!reader.isBYOB) reader.drain((request) => request.onClose(undefined));
  }

  error(error) {
    if (this.state !== 'readable') return;
    this.clear();
    this.clearAlgorithms();
    this.state = 'errored';
    this.storedError = error;
    this.#closed?.reject(error);
    const { reader } = this;
    if (reader === undefined) return;
    reader.closed.reject(error);
    reader.drain((request) => request.onError(error));
  }

  // Called when the reader releases its lock. A byte source keeps the bytes of an unfinished read.
  release() {}

  clearAlgorithms() {
    this.pullAlgorithm = this.cancelAlgorithm = undefined;
  }

  // ---- Pulling

  get wantsMore() {
    return this.isOpen && this.isStarted &&
      ((this.reader !== undefined && this.reader.requests.length > 0) || this.highWaterMark - this.queueTotal > 0);
  }

  pullIfNeeded() {
    if (this.wantsMore) this.pull();
  }

  pull() {
    if (this.#isPulling) {
      this.#pullsAgain = true;
      return;
    }
    this.#isPulling = true;
    let result;
    try {
      result = this.pullAlgorithm(this.controller);
    } catch (error) {
      result = PromiseReject(error);
    }
    follow(result, this.onPulled, this.#onPullFailed ??= (error) => this.error(error));
  }

  get onPulled() {
    return this.#onPulled ??= () => {
      this.#isPulling = false;
      if (!this.#pullsAgain) return;
      this.#pullsAgain = false;
      this.pullIfNeeded();
    };
  }
}

class DefaultSource extends ReadableCore {
  size;
  queue = new SizedQueue();

  constructor(algorithms, highWaterMark, size = countOne) {
    super(algorithms, highWaterMark);
    this.size = size;
  }

  get queueTotal() {
    return this.queue.total;
  }

  take() {
    if (this.queue.length === 0) return kNothing;
    const chunk = this.queue.shift();
    if (!this.isCloseRequested) {
      this.pullIfNeeded();
    } else if (this.queue.length === 0) {
      this.clearAlgorithms();
      this.finish();
    }
    return chunk;
  }

  park(request) {
    this.reader.requests.push(request);
    this.pullIfNeeded();
  }

  enqueue(chunk) {
    if (!this.isOpen) return;
    const { reader } = this;
    if (reader !== undefined && reader.requests.length > 0) {
      reader.requests.shift().onChunk(chunk);
    } else {
      const { size } = this;
      try {
        this.queue.push(chunk, size === countOne ? 1 : FunctionPrototypeCall(size, undefined, chunk));
      } catch (error) {
        this.error(error);
        throw error;
      }
    }
    this.pullIfNeeded();
  }

  close() {
    if (!this.isOpen) return;
    this.isCloseRequested = true;
    if (this.queue.length > 0) return;
    this.clearAlgorithms();
    this.finish();
  }

  clear() {
    this.queue.clear();
  }

  clearAlgorithms() {
    super.clearAlgorithms();
    this.size = undefined;
  }
}

// Holds the lock of a stream, for a reader of the program, a pipe, an iterator, or tee().
class ReaderCore {
  core;
  isBYOB;
  closed;
  requests = new Fifo();

  constructor(core, isBYOB) {
    if (core.isLocked) throw new ERR_INVALID_STATE.TypeError('ReadableStream is locked');
    this.core = core;
    this.isBYOB = isBYOB;
    core.reader = this;
    this.closed = core.state === 'readable' ? new Outcome() :
      core.state === 'closed' ? Outcome.resolved() : Outcome.rejected(core.storedError);
  }

  drain(visit) {
    const { requests } = this;
    while (requests.length > 0) visit(requests.shift());
  }

  release() {
    const { core } = this;
    const error = new ERR_INVALID_STATE.TypeError('Reader released');
    if (core.state === 'readable') this.closed.reject(error);
    else this.closed = Outcome.rejected(error);
    core.release();
    core.reader = undefined;
    this.core = undefined;
    if (this.requests.length === 0) return;
    const releasing = new ERR_INVALID_STATE.TypeError('Releasing reader');
    this.drain((request) => request.onError(releasing));
  }
}

module.exports = { DefaultSource, ReadableCore, ReaderCore };
