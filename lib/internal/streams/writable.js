'use strict';
// Writable. The order of callbacks and events is Node's to the tick.
const {
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  ArrayPrototypeSplice,
  Error,
  FunctionPrototypeCall,
  FunctionPrototypeSymbolHasInstance,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  Promise,
  StringPrototypeToLowerCase,
  SymbolAsyncDispose,
  SymbolHasInstance,
} = primordials;
const { Buffer } = require('buffer');
const { captureRejectionSymbol } = require('events');
const {
  AbortError,
  codes: {
    ERR_INVALID_ARG_TYPE,
    ERR_METHOD_NOT_IMPLEMENTED,
    ERR_MULTIPLE_CALLBACK,
    ERR_STREAM_ALREADY_FINISHED,
    ERR_STREAM_CANNOT_PIPE,
    ERR_STREAM_DESTROYED,
    ERR_STREAM_NULL_VALUES,
    ERR_STREAM_WRITE_AFTER_END,
    ERR_UNKNOWN_ENCODING,
  },
} = require('internal/errors');
const { addAbortSignal: { addAbortSignal }, destroy, eos, getDuplex, legacy: { Stream } } = require('internal/streams/parts');
const { WritableState } = require('internal/streams/writable_state');

const { errorOrDestroy } = destroy;

// Chunks that were written are cut off the list when they are as many, and half of it: what remains is moved.
const kMostGone = 256;

function nop() {}

let Duplex;

function Writable(options) {
  Duplex ??= getDuplex();
  const isDuplex = this instanceof Duplex;
  // Not instanceof: to that every Duplex is one of these.
  if (!isDuplex && !FunctionPrototypeSymbolHasInstance(Writable, this)) return new Writable(options);
  this._writableState = new WritableState(options, this, isDuplex, (error) => onwrite(this, error));
  if (options) {
    if (typeof options.write === 'function') this._write = options.write;
    if (typeof options.writev === 'function') this._writev = options.writev;
    if (typeof options.destroy === 'function') this._destroy = options.destroy;
    if (typeof options.final === 'function') this._final = options.final;
    if (typeof options.construct === 'function') this._construct = options.construct;
    if (options.signal) addAbortSignal(options.signal, this);
  }
  FunctionPrototypeCall(Stream, this, options);
  if (this._construct !== undefined) destroy.construct(this, () => onConstructed(this));
}
module.exports = Writable;
Writable.WritableState = WritableState;
ObjectSetPrototypeOf(Writable.prototype, Stream.prototype);
ObjectSetPrototypeOf(Writable, Stream);

function onConstructed(stream) {
  const state = stream._writableState;
  if (!state.writing) clearBuffer(stream, state);
  finishMaybe(stream, state);
}

ObjectDefineProperty(Writable, SymbolHasInstance, {
  __proto__: null,
  value: function(object) {
    if (FunctionPrototypeSymbolHasInstance(this, object)) return true;
    if (this !== Writable) return false;
    return object?._writableState instanceof WritableState;
  },
});

Writable.prototype.pipe = function() {
  errorOrDestroy(this, new ERR_STREAM_CANNOT_PIPE());
};

// True or false for the caller of write(); or the error, which was told already.
function writeChunk(stream, chunk, encoding, callback) {
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  if (typeof callback !== 'function') callback = nop;
  const state = stream._writableState;
  if (chunk === null) throw new ERR_STREAM_NULL_VALUES();
  if (!state.objectMode) {
    if (!encoding) encoding = state.defaultEncoding;
    else if (encoding !== 'buffer' && !Buffer.isEncoding(encoding)) throw new ERR_UNKNOWN_ENCODING(encoding);
    if (typeof chunk === 'string') {
      if (encoding === 'buffer') throw new ERR_UNKNOWN_ENCODING(encoding);
      if (state.decodeStrings) {
        chunk = Buffer.from(chunk, encoding);
        encoding = 'buffer';
      }
    } else if (chunk instanceof Buffer) {
      encoding = 'buffer';
    } else if (Stream._isArrayBufferView(chunk)) {
      chunk = Stream._uint8ArrayToBuffer(chunk);
      encoding = 'buffer';
    } else {
      throw new ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk);
    }
  }
  if (state.ending || state.destroyed) {
    const error = state.ending ? new ERR_STREAM_WRITE_AFTER_END() : new ERR_STREAM_DESTROYED('write');
    process.nextTick(callback, error);
    errorOrDestroy(stream, error, true);
    return error;
  }
  state.pendingcb++;
  return writeOrBuffer(stream, state, chunk, encoding, callback);
}

Writable.prototype.write = function(chunk, encoding, callback) {
  return writeChunk(this, chunk, encoding, callback) === true;
};

function writeOrBuffer(stream, state, chunk, encoding, callback) {
  const length = state.objectMode ? 1 : chunk.length;
  state.length += length;
  if (state.writing || state.corked !== 0 || state.errored !== null || !state.constructed) {
    state.buffered[state.buffered.length] = { chunk, encoding, callback };
    if (state.allBuffers && encoding !== 'buffer') state.allBuffers = false;
    if (state.allNoop && callback !== nop) state.allNoop = false;
  } else {
    state.writelen = length;
    state.writecb = callback;
    state.writing = true;
    state.sync = true;
    stream._write(chunk, encoding, state.onwrite);
    state.sync = false;
  }
  // What went out at once needs no pause, however long it was.
  const canGoOn = state.length < state.highWaterMark || state.length === 0;
  if (!canGoOn) state.needDrain = true;
  return canGoOn && state.errored === null && !state.destroyed;
}

Writable.prototype.cork = function() {
  this._writableState.corked++;
};

Writable.prototype.uncork = function() {
  const state = this._writableState;
  if (state.corked === 0) return;
  state.corked--;
  if (!state.writing) clearBuffer(this, state);
};

Writable.prototype.setDefaultEncoding = function setDefaultEncoding(encoding) {
  if (typeof encoding === 'string') encoding = StringPrototypeToLowerCase(encoding);
  if (!Buffer.isEncoding(encoding)) throw new ERR_UNKNOWN_ENCODING(encoding);
  this._writableState.defaultEncoding = encoding;
  return this;
};

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

// What _write() and _writev() call when they are done.
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
  // Callbacks never come before write() has returned; a row of equal ones shares a tick. Those that nobody gave need none,
  // unless there is a drain to tell of; in object mode Node gives them one all the same, which the order of events shows.
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
  // The stack is made now, while what it refers to is alive anyway.
  error.stack; // eslint-disable-line no-unused-expressions
  state.errored ??= error;
  if (stream._readableState) stream._readableState.errored ??= error;
  if (sync) process.nextTick(tellWriteError, stream, state, error, callback);
  else tellWriteError(stream, state, error, callback);
}

function tellWriteError(stream, state, error, callback) {
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

// Those that wait will not be written.
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

Writable.prototype._write = function(chunk, encoding, callback) {
  if (!this._writev) throw new ERR_METHOD_NOT_IMPLEMENTED('_write()');
  this._writev([{ chunk, encoding }], callback);
};
Writable.prototype._writev = null;

Writable.prototype.end = function(chunk, encoding, callback) {
  const state = this._writableState;
  if (typeof chunk === 'function') {
    callback = chunk;
    chunk = null;
    encoding = null;
  } else if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  let error;
  if (chunk !== null && chunk !== undefined) {
    const result = writeChunk(this, chunk, encoding);
    if (result instanceof Error) error = result;
  }
  if (state.corked !== 0) {
    state.corked = 1;
    this.uncork();
  }
  if (error !== undefined) {
    // It was told where it happened.
  } else if (state.errored === null && !state.ending) {
    state.ending = true;
    finishMaybe(this, state, true);
    state.ended = true;
  } else if (state.finished) {
    error = new ERR_STREAM_ALREADY_FINISHED('end');
  } else if (state.destroyed) {
    error = new ERR_STREAM_DESTROYED('end');
  }
  if (typeof callback === 'function') {
    if (error !== undefined) process.nextTick(callback, error);
    else if (state.errored !== null) process.nextTick(callback, state.errored);
    else if (state.finished) process.nextTick(callback, null);
    else ArrayPrototypePush(state.onFinished ??= [], callback);
  }
  return this;
};

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
      // Later, as some streams are still busy with their final.
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
  // A Duplex goes when its other side is done, too.
  const other = stream._readableState;
  if (!other || (other.autoDestroy && (other.endEmitted || other.readable === false))) stream.destroy();
}

Writable.prototype.destroy = function(error, callback) {
  const state = this._writableState;
  if (!state.destroyed && (state.bufferedIndex < state.buffered.length || state.onFinished !== null)) {
    process.nextTick(errorBuffer, state);
  }
  FunctionPrototypeCall(destroy.destroy, this, error, callback);
  return this;
};
Writable.prototype._undestroy = destroy.undestroy;
Writable.prototype._destroy = function(error, callback) {
  callback(error);
};

Writable.prototype[captureRejectionSymbol] = function(error) {
  this.destroy(error);
};

Writable.prototype[SymbolAsyncDispose] = function() {
  let error;
  if (!this.destroyed) {
    error = this.writableFinished ? null : new AbortError();
    this.destroy(error);
  }
  return new Promise((resolve, reject) => {
    eos(this, (reason) => (reason && reason.name !== 'AbortError' ? reject(reason) : resolve(null)));
  });
};

ObjectDefineProperties(Writable.prototype, {
  closed: {
    __proto__: null,
    get() { return this._writableState ? this._writableState.closed : false; },
  },
  destroyed: {
    __proto__: null,
    get() { return this._writableState ? this._writableState.destroyed : false; },
    set(value) {
      if (this._writableState) this._writableState.destroyed = value;
    },
  },
  writable: {
    __proto__: null,
    get() {
      const state = this._writableState;
      return !!state && state.writable !== false && !state.destroyed && state.errored === null && !state.ending &&
        !state.ended;
    },
    set(value) {
      if (this._writableState) this._writableState.writable = !!value;
    },
  },
  writableFinished: {
    __proto__: null,
    get() { return this._writableState ? this._writableState.finished : false; },
  },
  writableObjectMode: {
    __proto__: null,
    get() { return this._writableState ? this._writableState.objectMode : false; },
  },
  writableBuffer: {
    __proto__: null,
    get() { return this._writableState?.getBuffer(); },
  },
  writableEnded: {
    __proto__: null,
    get() { return this._writableState ? this._writableState.ending : false; },
  },
  writableNeedDrain: {
    __proto__: null,
    get() {
      const state = this._writableState;
      return state ? !state.destroyed && !state.ending && state.needDrain : false;
    },
  },
  writableHighWaterMark: {
    __proto__: null,
    get() { return this._writableState?.highWaterMark; },
  },
  writableCorked: {
    __proto__: null,
    get() { return this._writableState ? this._writableState.corked : 0; },
  },
  writableLength: {
    __proto__: null,
    get() { return this._writableState?.length; },
  },
  errored: {
    __proto__: null,
    get() { return this._writableState ? this._writableState.errored : null; },
  },
  writableAborted: {
    __proto__: null,
    get() {
      const state = this._writableState;
      return !!(state.writable !== false && (state.destroyed || state.errored) && !state.finished);
    },
  },
});
