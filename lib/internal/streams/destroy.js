'use strict';
// The start and end of streams: _construct(), _destroy(), and the events 'error' and 'close'. A Duplex has two state
// objects, which this file keeps consistent.
const { Symbol } = primordials;
const { AbortError, aggregateTwoErrors, codes: { ERR_MULTIPLE_CALLBACK } } = require('internal/errors');
const { isDestroyed, isFinished, isServerRequest, kIsDestroyed } = require('internal/streams/utils');

// Events of a stream that is being constructed.
const kConstruct = Symbol('kConstruct');
const kDestroy = Symbol('kDestroy');

function noteError(stream, error) {
  // Format the stack now, so that the error does not keep the objects of its frames alive.
  error.stack; // eslint-disable-line no-unused-expressions
  const { _readableState: readable, _writableState: writable } = stream;
  if (writable && !writable.errored) writable.errored = error;
  if (readable && !readable.errored) readable.errored = error;
}

function destroy(error, callback) {
  const { _readableState: readable, _writableState: writable } = this;
  if (writable?.destroyed || readable?.destroyed) {
    if (typeof callback === 'function') callback();
    return this;
  }
  if (error) noteError(this, error);
  if (writable) writable.destroyed = true;
  if (readable) readable.destroyed = true;
  if ((writable || readable).constructed) {
    callDestroy(this, error, callback);
  } else {
    this.once(kDestroy, (constructError) => callDestroy(this, aggregateTwoErrors(constructError, error), callback));
  }
  return this;
}

function callDestroy(stream, error, callback) {
  let isCalled = false;
  const onDestroyed = (reason) => {
    if (isCalled) return;
    isCalled = true;
    if (reason) noteError(stream, reason);
    const { _readableState: readable, _writableState: writable } = stream;
    if (writable) writable.closed = true;
    if (readable) readable.closed = true;
    if (typeof callback === 'function') callback(reason);
    if (reason) process.nextTick(emitErrorAndClose, stream, reason);
    else process.nextTick(emitClose, stream);
  };
  try {
    stream._destroy(error || null, onDestroyed);
  } catch (reason) {
    onDestroyed(reason);
  }
}

function emitErrorAndClose(stream, error) {
  emitError(stream, error);
  emitClose(stream);
}

function emitClose(stream) {
  const { _readableState: readable, _writableState: writable } = stream;
  if (writable) writable.closeEmitted = true;
  if (readable) readable.closeEmitted = true;
  if (writable?.emitClose || readable?.emitClose) stream.emit('close');
}

function emitError(stream, error) {
  const { _readableState: readable, _writableState: writable } = stream;
  if (writable?.errorEmitted || readable?.errorEmitted) return;
  if (writable) writable.errorEmitted = true;
  if (readable) readable.errorEmitted = true;
  stream.emit('error', error);
}

// Resets the state to that of a new stream, for streams that reconnect.
function undestroy() {
  const { _readableState: readable, _writableState: writable } = this;
  if (readable) {
    reset(readable);
    const isUnused = readable.readable === false;
    readable.reading = false;
    readable.ended = isUnused;
    readable.endEmitted = isUnused;
  }
  if (writable) {
    reset(writable);
    const isUnused = writable.writable === false;
    writable.finalCalled = false;
    writable.prefinished = false;
    writable.ending = isUnused;
    writable.ended = isUnused;
    writable.finished = isUnused;
  }
}

function reset(state) {
  state.constructed = true;
  state.destroyed = false;
  state.closed = false;
  state.closeEmitted = false;
  state.errored = null;
  state.errorEmitted = false;
}

// Reports an error of the stream itself; autoDestroy decides whether the stream is destroyed. `sync`: the caller has
// not returned.
function errorOrDestroy(stream, error, sync) {
  const { _readableState: readable, _writableState: writable } = stream;
  if (writable?.destroyed || readable?.destroyed) return;
  if (readable?.autoDestroy || writable?.autoDestroy) {
    stream.destroy(error);
  } else if (error) {
    noteError(stream, error);
    if (sync) process.nextTick(emitError, stream, error);
    else emitError(stream, error);
  }
}

// Runs _construct() in the next tick, then `onConstructed`. Both sides of a Duplex call this; it is constructed once.
function construct(stream, onConstructed) {
  if (typeof stream._construct !== 'function') return;
  const { _readableState: readable, _writableState: writable } = stream;
  if (readable) readable.constructed = false;
  if (writable) writable.constructed = false;
  stream.once(kConstruct, onConstructed);
  if (stream.listenerCount(kConstruct) === 1) process.nextTick(callConstruct, stream);
}

function callConstruct(stream) {
  let isCalled = false;
  const onDone = (error) => {
    if (isCalled) {
      errorOrDestroy(stream, error ?? new ERR_MULTIPLE_CALLBACK());
      return;
    }
    isCalled = true;
    const { _readableState: readable, _writableState: writable } = stream;
    if (readable) readable.constructed = true;
    if (writable) writable.constructed = true;
    if ((writable || readable).destroyed) stream.emit(kDestroy, error);
    else if (error) errorOrDestroy(stream, error, true);
    else stream.emit(kConstruct);
  };
  try {
    stream._construct((error) => process.nextTick(onDone, error));
  } catch (error) {
    process.nextTick(onDone, error);
  }
}

// ---- Any stream

const isClientRequest = (stream) => stream?.setHeader && typeof stream.abort === 'function';

function emitPlainClose(stream) {
  stream.emit('close');
}

function emitPlainError(stream, error) {
  stream.emit('error', error);
  process.nextTick(emitPlainClose, stream);
}

// stream.destroy(): ends a stream of any kind. Without an error, one that is not finished is aborted.
function destroyer(stream, error) {
  if (!stream || isDestroyed(stream)) return;
  if (!error && !isFinished(stream)) error = new AbortError();
  if (isServerRequest(stream)) {
    stream.socket = null;
    stream.destroy(error);
  } else if (isClientRequest(stream)) {
    stream.abort();
  } else if (isClientRequest(stream.req)) {
    stream.req.abort();
  } else if (typeof stream.destroy === 'function') {
    stream.destroy(error);
  } else if (typeof stream.close === 'function') {
    stream.close();
  } else if (error) {
    process.nextTick(emitPlainError, stream, error);
  } else {
    process.nextTick(emitPlainClose, stream);
  }
  if (!stream.destroyed) stream[kIsDestroyed] = true;
}

module.exports = { construct, destroy, destroyer, errorOrDestroy, undestroy };
