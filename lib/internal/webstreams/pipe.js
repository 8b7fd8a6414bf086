'use strict';
// ReadableStream.prototype.pipeTo(), from the inside of one stream to that of the other.
const {
  ArrayPrototypePush,
  PromisePrototypeThen,
  PromiseReject,
  PromiseResolve,
  PromiseWithResolvers,
  SafePromiseAll,
  SymbolDispose,
} = primordials;
const { DOMException } = require('internal/domexception');
const { AbortError, codes: { ERR_INVALID_STATE } } = require('internal/errors');
const { addAbortListener } = require('internal/events/targets');
const { DefaultSource, ReaderCore } = require('internal/webstreams/readable_core');
const { nop, resolved } = require('internal/webstreams/util');
const { WriterCore } = require('internal/webstreams/writable_core');

class Pipe {
  source;
  dest;
  options;
  reader;
  writer;
  isShuttingDown = false;
  disposable = undefined;
  record = PromiseWithResolvers();
  // Writes that the sink has not finished; the pipe itself is their request.
  pendingWrites = 0;
  hasFailed = false;
  failure = undefined;
  // Waits for the last of them.
  allWritten = undefined;
  // The chunk between a read and its write.
  chunk = undefined;
  pump = () => this.goOn();
  forward = () => {
    const { chunk } = this;
    this.chunk = undefined;
    this.write(chunk);
    this.goOn();
  };

  constructor(source, dest, options) {
    this.source = source;
    this.dest = dest;
    this.options = options;
    this.reader = new ReaderCore(source, false);
    this.writer = new WriterCore(dest);
    source.isDisturbed = true;
  }

  start() {
    const { source, dest, options: { preventClose, preventAbort, preventCancel, signal } } = this;
    if (signal !== undefined) {
      const abort = () => this.abort();
      if (signal.aborted) {
        abort();
        return this.record.promise;
      }
      this.disposable = addAbortListener(signal, abort);
    }
    this.goOn();

    this.whenErrored(source.state, source.storedError, this.reader.closed, (error) => {
      if (preventAbort) this.shutDown(undefined, true, error);
      else this.shutDown(() => dest.abortStream(error), true, error);
    });
    this.whenErrored(dest.state, dest.error, this.writer.closed, (error) => {
      if (preventCancel) this.shutDown(undefined, true, error);
      else this.shutDown(() => source.cancel(error), true, error);
    });
    const onClosed = () => this.shutDown(preventClose ? undefined : () => this.writer.closeOnce(), false, undefined);
    if (source.state === 'closed') onClosed();
    else PromisePrototypeThen(this.reader.closed.promise, onClosed, nop);
    if (dest.isClosing || dest.state === 'closed') {
      const error = new ERR_INVALID_STATE.TypeError('Destination WritableStream is closed');
      this.shutDown(preventCancel ? undefined : () => source.cancel(error), true, error);
    }
    return this.record.promise;
  }

  whenErrored(state, error, closed, action) {
    if (state === 'errored') action(error);
    else PromisePrototypeThen(closed.promise, undefined, action);
  }

  abort() {
    const { source, dest, options: { preventAbort, preventCancel, signal } } = this;
    const { reason } = signal;
    const error = reason instanceof AbortError ? new DOMException(reason.message, 'AbortError') : reason;
    this.shutDown(() => {
      const ends = [];
      if (!preventAbort) {
        ArrayPrototypePush(ends, dest.state === 'writable' ? dest.abortStream(error) : PromiseResolve());
      }
      if (!preventCancel) {
        ArrayPrototypePush(ends, source.state === 'readable' ? source.cancel(error) : PromiseResolve());
      }
      return SafePromiseAll(ends);
    }, true, error);
  }

  // ---- Chunks

  goOn() {
    if (this.isShuttingDown) return;
    const { source } = this;
    if (this.dest.hasBackpressure) {
      this.writer.onReady = this.pump;
    } else if (source.state === 'readable' && source instanceof DefaultSource && source.queue.length > 0) {
      this.moveBuffered();
    } else {
      source.read(this);
    }
  }

  // Moves buffered chunks without a read request for each.
  moveBuffered() {
    const { source, dest } = this;
    const { queue } = source;
    while (queue.length > 0) {
      if (this.isShuttingDown) return;
      const chunk = queue.shift();
      if (source.isCloseRequested && queue.length === 0) {
        source.clearAlgorithms();
        source.finish();
      }
      this.write(chunk);
      if (dest.hasBackpressure || dest.state !== 'writable' || dest.isClosing) break;
    }
    source.pullIfNeeded();
    if (source.state === 'closed') return;
    if (dest.hasBackpressure) this.writer.onReady = this.pump;
    else PromisePrototypeThen(resolved, this.pump);
  }

  // As a read request. The write is not part of the program's enqueue().
  onChunk(chunk) {
    this.chunk = chunk;
    PromisePrototypeThen(resolved, this.forward);
  }

  // The end is noticed by what start() watches.
  onClose() {}
  onError() {}

  write(chunk) {
    this.pendingWrites++;
    const refused = this.dest.addChunk(this.writer, chunk, this);
    if (refused === undefined) return;
    this.pendingWrites--;
    this.hasFailed = true;
    this.failure = refused.error;
  }

  // As the request of a write.
  resolve() {
    if (--this.pendingWrites > 0 || this.allWritten === undefined) return;
    if (this.hasFailed) this.allWritten.reject(this.failure);
    else this.allWritten.resolve();
  }

  reject(error) {
    this.pendingWrites--;
    this.hasFailed = true;
    this.failure = error;
    this.allWritten?.reject(error);
  }

  writesDone() {
    if (this.pendingWrites === 0) return this.hasFailed ? PromiseReject(this.failure) : PromiseResolve();
    this.allWritten = PromiseWithResolvers();
    return this.allWritten.promise;
  }

  // ---- The end

  // `action` returns a promise; its failure counts for more than `error`, which may be undefined.
  shutDown(action, isRejected, error) {
    if (this.isShuttingDown) return;
    this.isShuttingDown = true;
    const fail = (reason) => this.finish(true, reason);
    const finish = () => this.finish(isRejected, error);
    const act = action === undefined ? finish : () => { PromisePrototypeThen(action(), finish, fail); };
    if (this.dest.state === 'writable' && !this.dest.isClosing) PromisePrototypeThen(this.writesDone(), act, fail);
    else act();
  }

  finish(isRejected, error) {
    this.writer.release();
    this.reader.release();
    this.disposable?.[SymbolDispose]();
    if (isRejected) this.record.reject(error);
    else this.record.resolve();
  }
}

function pipe(source, dest, preventClose, preventAbort, preventCancel, signal) {
  return new Pipe(source, dest, { preventClose, preventAbort, preventCancel, signal }).start();
}

module.exports = { pipe };
