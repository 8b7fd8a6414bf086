'use strict';
// The chunks of a Writable between write() and its callback, and the steps after end().
const { ArrayPrototypeSlice, ArrayPrototypeSplice } = primordials;
const { codes: { ERR_MULTIPLE_CALLBACK, ERR_STREAM_DESTROYED } } = require('internal/errors');
const { errorOrDestroy } = require('internal/streams/destroy');

// Written chunks are removed from the list when they are at least this many and half of it, because removal moves the
// rest.
const kMostGone = 256;

// Used instead of a missing callback.
function nop() {}

function writeOrBuffer(stream, state, chunk, encoding, callback) {
  const length = state.objectMode ? 1 : chunk.length;
  state.length += length;
  if (state.writing || state.corked !== 0 || state.errored !== null || !state.constructed) {
    state.buffered[state.buffered.length] = { chunk, encoding, callback };
    if (state.allBuffers && encoding !== 'buffer') state.allBuffers = false;
    if (state.allNoop && callback !== nop) state.allNoop = false;
  } else {
    startWrite(stream, state, false, length, chunk, encoding, callback);
  }
  // A chunk that was written synchronously needs no pause, however long it was.
  const canGoOn = state.length < state.highWaterMark || state.length === 0;
  if (!canGoOn) state.needDrain = true;
  return canGoOn && state.errored === null && !state.destroyed;
}

function startWrite(stream, state, isMany, length, chunk, encoding, callback) {
  state.writelen = length;
  state.writecb = callback;
  state.writing = true;
  state.sync = true;
  if (state.destroyed) state.onwrite(new ERR_STREAM_DESTROYED('write'));
  else if (isMany) stream._writev(chunk, state.onwrite);
  else stream._write(chunk, encoding, state.onwrite);
  state.sync = false;
}

// Called by _write() and _writev() when they are done.
function onwrite(stream, error) {
  const state = stream._writableState;
  const { sync, writecb: callback } = state;
  if (typeof callback !== 'function') {
    errorOrDestroy(stream, new ERR_MULTIPLE_CALLBACK());
    return;
  }
  state.writing = false;
  state.writecb = null;
  state.length -= state.writelen;
  state.writelen = 0;
  if (error) {
    onWriteError(stream, state, error, callback, sync);
    return;
  }
  if (state.buffered.length > state.bufferedIndex) clearBuffer(stream, state);
  if (!sync) {
    afterWrite(stream, state, 1, callback);
    return;
  }
  // Callbacks run after write() has returned; consecutive equal ones share a tick. A missing callback needs no tick,
  // unless 'drain' must be emitted. In object mode Node uses one regardless, which is visible in the order of events.
  if (callback === nop) {
    if (!state.afterWritePending && (state.objectMode || (state.needDrain && state.length === 0))) {
      state.afterWritePending = true;
      process.nextTick(afterWrite, stream, state, 1, callback);
    } else {
      state.pendingcb--;
      if (state.ending) finishMaybe(stream, state, true);
    }
    return;
  }
  callAfterWrite(stream, state, callback);
}

// Calls the callback of a chunk that was written inside write(). The caller has counted it in `pendingcb`.
function callAfterWrite(stream, state, callback) {
  const waiting = state.afterWriteTickInfo;
  if (waiting !== null && waiting.callback === callback) {
    waiting.count++;
  } else {
    state.afterWritePending = true;
    state.afterWriteTickInfo = { count: 1, callback, stream, state };
    process.nextTick(afterWriteTick, state.afterWriteTickInfo);
  }
}

function onWriteError(stream, state, error, callback, sync) {
  // Format the stack now, so that the error does not keep the objects of its frames alive.
  error.stack; // eslint-disable-line no-unused-expressions
  state.errored ??= error;
  if (stream._readableState) stream._readableState.errored ??= error;
  if (sync) process.nextTick(reportWriteError, stream, state, error, callback);
  else reportWriteError(stream, state, error, callback);
}

function reportWriteError(stream, state, error, callback) {
  state.pendingcb--;
  callback(error);
  errorBuffer(state);
  errorOrDestroy(stream, error);
}

function afterWriteTick({ stream, state, count, callback }) {
  state.afterWriteTickInfo = null;
  afterWrite(stream, state, count, callback);
}

function afterWrite(stream, state, count, callback) {
  state.afterWritePending = false;
  if (state.needDrain && !state.ending && !state.destroyed && state.length === 0) {
    state.needDrain = false;
    stream.emit('drain');
  }
  while (count-- > 0) {
    state.pendingcb--;
    callback(null);
  }
  if (state.destroyed) errorBuffer(state);
  if (state.ending) finishMaybe(stream, state, true);
}

// Calls the callbacks of queued chunks, which will not be written, with an error.
function errorBuffer(state) {
  if (state.writing) return;
  for (let i = state.bufferedIndex; i < state.buffered.length; i++) {
    const { chunk, callback } = state.buffered[i];
    state.length -= state.objectMode ? 1 : chunk.length;
    callback(state.errored ?? new ERR_STREAM_DESTROYED('write'));
  }
  callFinished(state, state.errored ?? new ERR_STREAM_DESTROYED('end'));
  resetBuffer(state);
}

function callFinished(state, error) {
  const callbacks = state.onFinished;
  if (callbacks === null) return;
  state.onFinished = null;
  for (let i = 0; i < callbacks.length; i++) callbacks[i](error);
}

function resetBuffer(state) {
  state.buffered = [];
  state.bufferedIndex = 0;
  state.allBuffers = true;
  state.allNoop = true;
}

function clearBuffer(stream, state) {
  if (state.corked !== 0 || state.bufferProcessing || state.destroyed || !state.constructed) return;
  const { buffered, bufferedIndex, objectMode } = state;
  const count = buffered.length - bufferedIndex;
  if (count === 0) return;
  let i = bufferedIndex;
  state.bufferProcessing = true;
  if (count > 1 && stream._writev) {
    state.pendingcb -= count - 1;
    const callback = state.allNoop ? nop : (error) => {
      for (let n = i; n < buffered.length; ++n) buffered[n].callback(error);
    };
    const chunks = state.allNoop && i === 0 ? buffered : ArrayPrototypeSlice(buffered, i);
    chunks.allBuffers = state.allBuffers;
    startWrite(stream, state, true, state.length, chunks, '', callback);
    resetBuffer(state);
  } else {
    do {
      const { chunk, encoding, callback } = buffered[i];
      buffered[i++] = null;
      startWrite(stream, state, false, objectMode ? 1 : chunk.length, chunk, encoding, callback);
    } while (i < buffered.length && !state.writing);
    if (i === buffered.length) {
      resetBuffer(state);
    } else if (i > kMostGone && 2 * i > buffered.length) {
      ArrayPrototypeSplice(buffered, 0, i);
      state.bufferedIndex = 0;
    } else {
      state.bufferedIndex = i;
    }
  }
  state.bufferProcessing = false;
}

function canFinish(state) {
  return state.ending && !state.destroyed && state.constructed && state.length === 0 && state.errored === null &&
    state.buffered.length === 0 && !state.finished && !state.writing && !state.errorEmitted && !state.closeEmitted;
}

function callFinal(stream, state) {
  let isCalled = false;
  function onFinal(error) {
    if (isCalled) {
      errorOrDestroy(stream, error ?? new ERR_MULTIPLE_CALLBACK());
      return;
    }
    isCalled = true;
    state.pendingcb--;
    if (error) {
      callFinished(state, error);
      errorOrDestroy(stream, error, state.sync);
    } else if (canFinish(state)) {
      state.prefinished = true;
      stream.emit('prefinish');
      // Deferred, because some streams are still busy in _final().
      state.pendingcb++;
      process.nextTick(finish, stream, state);
    }
  }
  state.sync = true;
  state.pendingcb++;
  try {
    stream._final(onFinal);
  } catch (error) {
    onFinal(error);
  }
  state.sync = false;
}

function prefinish(stream, state) {
  if (state.prefinished || state.finalCalled) return;
  if (typeof stream._final === 'function' && !state.destroyed) {
    state.finalCalled = true;
    callFinal(stream, state);
  } else {
    state.prefinished = true;
    stream.emit('prefinish');
  }
}

function finishMaybe(stream, state, sync) {
  if (!canFinish(state)) return;
  prefinish(stream, state);
  if (state.pendingcb !== 0) return;
  if (sync) {
    state.pendingcb++;
    process.nextTick(finishLater, stream, state);
  } else if (canFinish(state)) {
    state.pendingcb++;
    finish(stream, state);
  }
}

function finishLater(stream, state) {
  if (canFinish(state)) finish(stream, state);
  else state.pendingcb--;
}

function finish(stream, state) {
  state.pendingcb--;
  state.finished = true;
  callFinished(state, null);
  stream.emit('finish');
  if (!state.autoDestroy) return;
  // A Duplex is destroyed when its other side has finished, too.
  const other = stream._readableState;
  if (!other || (other.autoDestroy && (other.endEmitted || other.readable === false))) stream.destroy();
}

module.exports = { callAfterWrite, clearBuffer, errorBuffer, finishMaybe, nop, onwrite, writeOrBuffer };
