'use strict';
// The inside of a WritableStream, with that of its controller and its writer: the standard's state machine.
//
// writable -> erroring -> errored, or writable -> closed. While it is erroring, it waits for the sink's
// start and for the write in progress.
const { FunctionPrototypeCall, PromisePrototypeThen, PromiseReject, PromiseResolve, PromiseWithResolvers, Symbol } =
  primordials;
const { codes: { ERR_INVALID_STATE } } = require('internal/errors');
const { Fifo, Outcome, SizedQueue, countOne, follow, followStart } = require('internal/webstreams/util');

// Stands in the queue for close().
const kClose = Symbol('close');

const releasedError = () => new ERR_INVALID_STATE.TypeError('Writer has been released');

// All properties are declared, because an assignment could call a setter that a program added to Object.prototype.
class WritableCore {
  write;
  close;
  abort;
  size;
  highWaterMark;
  stream = undefined;
  controller = undefined;
  state = 'writable';
  error = undefined;
  writer = undefined;
  hasBackpressure = false;
  isStarted = false;
  queue = new SizedQueue();
  // Objects with resolve() and reject(), one for each chunk that the sink has not got.
  requests = new Fifo();
  inFlightWrite = null;
  closeRequest = null;
  inFlightClose = null;
  // { record, reason, wasErroring }
  abortRequest = null;
  abortReason = undefined;
  isAborted = false;
  #abortController = undefined;
  #closed = undefined;
  #onWritten = undefined;
  #onWriteFailed = undefined;

  constructor({ write, close, abort }, highWaterMark, size) {
    this.write = write;
    this.close = close;
    this.abort = abort;
    this.highWaterMark = highWaterMark;
    this.size = size;
    this.updateBackpressure();
  }

  // Before this the stream takes chunks and gives the sink none.
  start(algorithm) {
    followStart(algorithm(), () => {
      this.isStarted = true;
      this.advance();
    }, (error) => {
      this.isStarted = true;
      this.dealWithRejection(error);
    });
  }

  get isLocked() {
    return this.writer !== undefined;
  }

  get isClosing() {
    return this.closeRequest !== null || this.inFlightClose !== null;
  }

  get desiredSize() {
    return this.highWaterMark - this.queue.total;
  }

  get signal() {
    if (this.#abortController === undefined) {
      const { AbortController } = require('internal/abort_controller');
      this.#abortController = new AbortController();
      if (this.isAborted) this.#abortController.abort(this.abortReason);
    }
    return this.#abortController.signal;
  }

  // The end of the stream, for finished() and similar functions.
  get closed() {
    if (this.#closed === undefined) {
      this.#closed = this.state === 'closed' ? Outcome.resolved() :
        this.state === 'errored' ? Outcome.rejected(this.error) : new Outcome();
    }
    return this.#closed;
  }

  updateBackpressure() {
    const hasBackpressure = this.desiredSize <= 0;
    if (hasBackpressure === this.hasBackpressure) return;
    this.hasBackpressure = hasBackpressure;
    this.writer?.onBackpressure(hasBackpressure);
  }

  // ---- Interface

  abortStream(reason) {
    if (this.state === 'closed' || this.state === 'errored') return PromiseResolve();
    if (!this.isAborted) {
      this.isAborted = true;
      this.abortReason = reason;
    }
    this.#abortController?.abort(reason);
    // A listener may have ended it.
    if (this.state === 'closed' || this.state === 'errored') return PromiseResolve();
    if (this.abortRequest !== null) return this.abortRequest.record.promise;
    const wasErroring = this.state === 'erroring';
    const record = PromiseWithResolvers();
    this.abortRequest = { record, reason: wasErroring ? undefined : reason, wasErroring };
    if (!wasErroring) this.startErroring(reason);
    return record.promise;
  }

  closeStream() {
    if (this.state === 'closed' || this.state === 'errored') {
      return PromiseReject(new ERR_INVALID_STATE.TypeError('WritableStream is closed'));
    }
    const record = this.closeRequest = PromiseWithResolvers();
    if (this.hasBackpressure && this.state === 'writable') this.writer?.ready.resolve();
    this.queue.push(kClose, 0);
    this.advance();
    return record.promise;
  }

  // Returns the error if the chunk cannot be accepted. Otherwise `request` is settled when the write ends.
  addChunk(writer, chunk, request) {
    const size = this.sizeOf(chunk);
    if (writer.core !== this) return { error: new ERR_INVALID_STATE.TypeError('Mismatched WritableStreams') };
    if (this.state === 'errored') return { error: this.error };
    if (this.isClosing || this.state === 'closed') {
      return { error: new ERR_INVALID_STATE.TypeError('WritableStream is closed') };
    }
    if (this.state === 'erroring') return { error: this.error };
    this.requests.push(request);
    try {
      this.queue.push(chunk, size);
    } catch (error) {
      this.errorIfWritable(error);
      return undefined;
    }
    if (!this.isClosing && this.state === 'writable') this.updateBackpressure();
    this.advance();
    return undefined;
  }

  sizeOf(chunk) {
    const { size } = this;
    if (size === undefined || size === countOne) return 1;
    try {
      return FunctionPrototypeCall(size, undefined, chunk);
    } catch (error) {
      this.errorIfWritable(error);
      return 1;
    }
  }

  errorIfWritable(error) {
    if (this.state !== 'writable') return;
    this.clearAlgorithms();
    this.startErroring(error);
  }

  clearAlgorithms() {
    this.write = this.close = this.abort = this.size = undefined;
  }

  // ---- Errors

  startErroring(error) {
    this.state = 'erroring';
    this.error = error;
    this.writer?.rejectReady(error);
    if (this.inFlightWrite === null && this.inFlightClose === null && this.isStarted) this.finishErroring();
  }

  dealWithRejection(error) {
    if (this.state === 'writable') this.startErroring(error);
    else this.finishErroring();
  }

  finishErroring() {
    this.state = 'errored';
    this.queue.clear();
    const { error, requests } = this;
    while (requests.length > 0) requests.shift().reject(error);
    const { abortRequest } = this;
    if (abortRequest === null) {
      this.rejectClosed();
      return;
    }
    this.abortRequest = null;
    const { record, reason, wasErroring } = abortRequest;
    if (wasErroring) {
      record.reject(error);
      this.rejectClosed();
      return;
    }
    // Pending until the sink is done: the promise must not be rejected before.
    this.#closed ??= new Outcome();
    const { abort } = this;
    const promise = abort(reason);
    this.clearAlgorithms();
    PromisePrototypeThen(promise, () => {
      record.resolve();
      this.rejectClosed();
    }, (abortError) => {
      record.reject(abortError);
      this.rejectClosed();
    });
  }

  rejectClosed() {
    if (this.closeRequest !== null) {
      this.closeRequest.reject(this.error);
      this.closeRequest = null;
    }
    this.#closed?.reject(this.error);
    this.writer?.closed.reject(this.error);
  }

  // ---- The sink

  advance() {
    if (!this.isStarted || this.inFlightWrite !== null) return;
    if (this.state === 'erroring') {
      this.finishErroring();
      return;
    }
    if (this.queue.length === 0) return;
    const chunk = this.queue.peek();
    if (chunk === kClose) this.callClose();
    else this.callWrite(chunk);
  }

  callWrite(chunk) {
    this.inFlightWrite = this.requests.shift();
    let result;
    try {
      result = this.write(chunk, this.controller);
    } catch (error) {
      result = PromiseReject(error);
    }
    follow(result, this.onWritten, this.onWriteFailed);
  }

  get onWritten() {
    return this.#onWritten ??= () => {
      // In flight until the request is notified, which may write the next chunk.
      this.inFlightWrite.resolve();
      this.inFlightWrite = null;
      this.queue.shift();
      if (!this.isClosing && this.state === 'writable') this.updateBackpressure();
      this.advance();
    };
  }

  get onWriteFailed() {
    return this.#onWriteFailed ??= (error) => {
      if (this.state === 'writable') this.clearAlgorithms();
      this.inFlightWrite.reject(error);
      this.inFlightWrite = null;
      this.dealWithRejection(error);
    };
  }

  callClose() {
    this.inFlightClose = this.closeRequest;
    this.closeRequest = null;
    this.queue.shift();
    const { close } = this;
    const promise = close();
    this.clearAlgorithms();
    PromisePrototypeThen(promise, () => this.onClosed(), (error) => this.onCloseFailed(error));
  }

  onClosed() {
    this.inFlightClose.resolve();
    this.inFlightClose = null;
    if (this.state === 'erroring') {
      // It was closed before the abort could reach it.
      this.error = undefined;
      this.abortRequest?.record.resolve();
      this.abortRequest = null;
    }
    this.state = 'closed';
    this.writer?.closed.resolve();
    this.#closed?.resolve();
  }

  onCloseFailed(error) {
    this.inFlightClose.reject(error);
    this.inFlightClose = null;
    this.abortRequest?.record.reject(error);
    this.abortRequest = null;
    this.dealWithRejection(error);
  }
}

// Holds the lock of a stream, for a writer of the program or a pipe.
class WriterCore {
  core;
  ready;
  closed;
  // A pipe's: called in place of a promise when there is room again.
  onReady = undefined;

  constructor(core) {
    if (core.isLocked) throw new ERR_INVALID_STATE.TypeError('WritableStream is locked');
    this.core = core;
    core.writer = this;
    const { error, state } = core;
    if (state === 'writable') {
      this.ready = core.isClosing || !core.hasBackpressure ? Outcome.resolved() : new Outcome();
      this.closed = new Outcome();
    } else if (state === 'closed') {
      this.ready = Outcome.resolved();
      this.closed = Outcome.resolved();
    } else {
      this.ready = Outcome.rejected(error);
      this.closed = state === 'erroring' ? new Outcome() : Outcome.rejected(error);
    }
  }

  onBackpressure(hasBackpressure) {
    if (hasBackpressure) {
      this.ready = new Outcome();
    } else {
      this.ready.resolve();
      const { onReady } = this;
      this.onReady = undefined;
      if (onReady !== undefined) onReady();
    }
  }

  rejectReady(error) {
    if (this.ready.isPending) this.ready.reject(error);
    else this.ready = Outcome.rejected(error);
  }

  get desiredSize() {
    const { state } = this.core;
    if (state === 'errored' || state === 'erroring') return null;
    return state === 'closed' ? 0 : this.core.desiredSize;
  }

  write(chunk) {
    const record = PromiseWithResolvers();
    const refused = this.core.addChunk(this, chunk, record);
    return refused === undefined ? record.promise : PromiseReject(refused.error);
  }

  // As close(), without an error for a stream that is closed already.
  closeOnce() {
    const { core } = this;
    if (core.isClosing || core.state === 'closed') return PromiseResolve();
    return core.state === 'errored' ? PromiseReject(core.error) : core.closeStream();
  }

  release() {
    const error = releasedError();
    this.rejectReady(error);
    if (this.closed.isPending) this.closed.reject(error);
    else this.closed = Outcome.rejected(error);
    this.core.writer = undefined;
    this.core = undefined;
  }
}

module.exports = { WritableCore, WriterCore };
