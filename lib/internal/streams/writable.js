'use strict';
// Writable. The order of callbacks and events matches Node's to the tick.
const {
  ArrayPrototypePush,
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
    ERR_STREAM_ALREADY_FINISHED,
    ERR_STREAM_CANNOT_PIPE,
    ERR_STREAM_DESTROYED,
    ERR_STREAM_NULL_VALUES,
    ERR_STREAM_WRITE_AFTER_END,
    ERR_UNKNOWN_ENCODING,
  },
} = require('internal/errors');
const { addAbortSignal } = require('internal/streams/add_abort_signal');
const destroy = require('internal/streams/destroy');
const { eos } = require('internal/streams/end_of_stream');
const { Stream } = require('internal/streams/legacy');
const { clearBuffer, errorBuffer, finishMaybe, nop, writeOrBuffer } = require('internal/streams/write_queue');
const { WritableState } = require('internal/streams/writable_state');

const { errorOrDestroy } = destroy;

function Writable(options) {
  if (!(this instanceof Writable)) return new Writable(options);
  this._writableState = new WritableState(options, this, false);
  if (options) {
    if (typeof options.write === 'function') this._write = options.write;
    if (typeof options.writev === 'function') this._writev = options.writev;
    if (typeof options.destroy === 'function') this._destroy = options.destroy;
    if (typeof options.final === 'function') this._final = options.final;
    if (typeof options.construct === 'function') this._construct = options.construct;
    if (options.signal) addAbortSignal(options.signal, this);
  }
  FunctionPrototypeCall(Stream, this, options);
  if (this._construct !== undefined) destroy.construct(this, () => startWriting(this));
}
Writable.WritableState = WritableState;
ObjectSetPrototypeOf(Writable.prototype, Stream.prototype);
ObjectSetPrototypeOf(Writable, Stream);

// Called after the construction.
function startWriting(stream) {
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

// Returns the result of write(), or an error that has already been reported.
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
    // writeChunk() has reported the error already.
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

// Web streams are loaded when they are first used.
const adapters = () => require('internal/webstreams/adapters');
Writable.fromWeb = function(writableStream, options) {
  return adapters().newStreamWritableFromWritableStream(writableStream, options);
};
Writable.toWeb = function(streamWritable) {
  return adapters().newWritableStreamFromStreamWritable(streamWritable);
};

module.exports = { Writable, startWriting };
