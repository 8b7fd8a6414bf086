'use strict';
// stream.finished(): calls back when a stream has ended or failed.
const {
  Promise,
  PromisePrototypeThen,
  ReflectApply,
  SymbolDispose,
} = primordials;
const { AbortError, codes: { ERR_INVALID_ARG_TYPE, ERR_STREAM_PREMATURE_CLOSE } } = require('internal/errors');
const { kEmptyObject, once } = require('internal/util');
const { validateAbortSignal, validateBoolean, validateFunction, validateObject } = require('internal/validators');
const { addAbortListener } = require('internal/events/targets');
const { bindCallback } = require('internal/async_hooks');
const {
  isClosed,
  isNodeStream,
  isReadable,
  isReadableErrored,
  isReadableFinished,
  isReadableNodeStream,
  isReadableStream,
  isWritable,
  isWritableErrored,
  isWritableFinished,
  isWritableNodeStream,
  isWritableStream,
  kIsClosedPromise,
  willEmitClose: emitsClose,
} = require('internal/streams/utils');

const nop = () => {};

const isRequest = (stream) => stream.setHeader && typeof stream.abort === 'function';

// The error of a stream, or null.
function errorOf(stream) {
  const error = isWritableErrored(stream) || isReadableErrored(stream);
  return typeof error !== 'boolean' && error ? error : null;
}

// Waits for one stream.
class Waiting {
  constructor(stream, { readable, writable }) {
    this.stream = stream;
    this.readable = readable ?? isReadableNodeStream(stream);
    this.writable = writable ?? isWritableNodeStream(stream);
    // If 'close' will be emitted, no earlier event counts as the end.
    this.willEmitClose = emitsClose(stream) && isReadableNodeStream(stream) === this.readable &&
        isWritableNodeStream(stream) === this.writable;
    this.writableFinished = isWritableFinished(stream, false);
    this.readableFinished = isReadableFinished(stream, false);
    this.callback = nop;
    this.listeners = [];
  }

  closeError() {
    const { stream } = this;
    const error = errorOf(stream);
    if (error !== null) return error;
    if (this.readable && !this.readableFinished && isReadableNodeStream(stream, true) &&
        !isReadableFinished(stream, false)) {
      return new ERR_STREAM_PREMATURE_CLOSE();
    }
    return this.writable && !this.writableFinished && !isWritableFinished(stream, false) ?
      new ERR_STREAM_PREMATURE_CLOSE() : null;
  }

  // Returns the result so far: an error, null if the stream ended without one, undefined if it has not ended.
  result() {
    const { stream, willEmitClose } = this;
    const writableState = stream._writableState;
    const readableState = stream._readableState;
    if (isClosed(stream)) return this.closeError();
    if (writableState?.errorEmitted || readableState?.errorEmitted) return willEmitClose ? undefined : errorOf(stream);
    if (!this.readable && (!willEmitClose || isReadable(stream)) &&
        (this.writableFinished || isWritable(stream) === false) &&
        !writableState?.pendingcb) {
      return errorOf(stream);
    }
    if (!this.writable && (!willEmitClose || isWritable(stream)) &&
        (this.readableFinished || isReadable(stream) === false)) {
      return errorOf(stream);
    }
    return readableState && stream.req && stream.aborted ? errorOf(stream) : undefined;
  }

  listen(target, event, listener) {
    target.on(event, listener);
    this.listeners[this.listeners.length] = { target, event, listener };
  }

  done(error) {
    const { callback, stream } = this;
    ReflectApply(callback, stream, error === undefined || error === null ? [] : [error]);
  }

  cleanup() {
    this.callback = nop;
    for (let i = 0; i < this.listeners.length; i++) {
      const { target, event, listener } = this.listeners[i];
      target.removeListener(event, listener);
    }
    this.listeners.length = 0;
  }

  onFinish() {
    const { stream } = this;
    this.writableFinished = true;
    // The stream was destroyed by other means, so 'close' may not be emitted.
    if (stream.destroyed) this.willEmitClose = false;
    if (this.willEmitClose && (!stream.readable || this.readable)) return;
    if (!this.readable || this.readableFinished) this.done();
  }

  onEnd() {
    const { stream } = this;
    this.readableFinished = true;
    if (stream.destroyed) this.willEmitClose = false;
    if (this.willEmitClose && (!stream.writable || this.writable)) return;
    if (!this.writable || this.writableFinished) this.done();
  }

  start(options) {
    const { stream } = this;
    const onFinish = () => this.onFinish();
    const onClose = () => this.done(this.closeError());
    if (isRequest(stream)) {
      this.listen(stream, 'complete', onFinish);
      if (!this.willEmitClose) this.listen(stream, 'abort', onClose);
      const onRequest = () => this.listen(stream.req, 'finish', onFinish);
      if (stream.req) onRequest();
      else this.listen(stream, 'request', onRequest);
    } else if (this.writable && !stream._writableState) {
      // Old streams do not emit 'finish'.
      const onOldFinish = () => {
        if (!stream.writable) this.onFinish();
      };
      this.listen(stream, 'end', onOldFinish);
      this.listen(stream, 'close', onOldFinish);
    }
    if (!this.willEmitClose && typeof stream.aborted === 'boolean') this.listen(stream, 'aborted', onClose);
    this.listen(stream, 'end', () => this.onEnd());
    this.listen(stream, 'finish', onFinish);
    if (options.error !== false) this.listen(stream, 'error', (error) => this.done(error));
    this.listen(stream, 'close', onClose);
    if (options.signal) this.listenToSignal(options.signal);
  }

  listenToSignal(signal) {
    const disposable = addAbortListener(signal, () => {
      const { callback } = this;
      this.cleanup();
      ReflectApply(callback, this.stream, [new AbortError(undefined, { cause: signal.reason })]);
    });
    const { callback } = this;
    this.callback = once(function(...args) {
      disposable[SymbolDispose]();
      ReflectApply(callback, this, args);
    });
  }
}

function eos(stream, options, callback) {
  if (arguments.length === 2) {
    callback = options;
    options = kEmptyObject;
  } else if (options == null) {
    options = kEmptyObject;
  } else {
    validateObject(options, 'options');
  }
  validateFunction(callback, 'callback');
  validateAbortSignal(options.signal, 'options.signal');
  if (isReadableStream(stream) || isWritableStream(stream)) return eosWeb(stream, options, callback);
  if (!isNodeStream(stream)) {
    throw new ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  }
  const waiting = new Waiting(stream, options);
  let result = waiting.result();
  waiting.callback = once(bindCallback('STREAM_END_OF_STREAM', callback));
  if (result !== undefined) {
    // Ignore errors until the callback is called.
    if (options.error !== false) waiting.listen(stream, 'error', nop);
  } else if (options.signal?.aborted) {
    result = new AbortError(undefined, { cause: options.signal.reason });
  }
  if (result === undefined) waiting.start(options);
  else process.nextTick(() => waiting.done(result));
  return () => waiting.cleanup();
}

function eosWeb(stream, options, callback) {
  let isAborted = false;
  let notify = once(bindCallback('STREAM_END_OF_STREAM', callback));
  const { signal } = options;
  if (signal) {
    const abort = () => {
      isAborted = true;
      ReflectApply(notify, stream, [new AbortError(undefined, { cause: signal.reason })]);
    };
    if (signal.aborted) {
      process.nextTick(abort);
    } else {
      const disposable = addAbortListener(signal, abort);
      const original = notify;
      notify = once((...args) => {
        disposable[SymbolDispose]();
        ReflectApply(original, stream, args);
      });
    }
  }
  const settled = (...args) => {
    if (!isAborted) process.nextTick(() => ReflectApply(notify, stream, args));
  };
  PromisePrototypeThen(stream[kIsClosedPromise].promise, settled, settled);
  return nop;
}

function finished(stream, options) {
  let cleansUp = false;
  if (options === null) options = kEmptyObject;
  if (options?.cleanup) {
    validateBoolean(options.cleanup, 'cleanup');
    cleansUp = options.cleanup;
  }
  return new Promise((resolve, reject) => {
    const cleanup = eos(stream, options, (error) => {
      if (cleansUp) cleanup();
      if (error) reject(error);
      else resolve();
    });
  });
}

// Returns the result that eos() would report now: an error, null for success, undefined if the stream has not ended.
function resultOf(stream, options) {
  return new Waiting(stream, options).result();
}

module.exports = { eos, finished, resultOf };
