'use strict';
// The rest of Readable: iteration, wrapping of old streams, and its properties.
const {
  FunctionPrototypeBind,
  ObjectDefineProperties,
  ObjectKeys,
  SymbolAsyncIterator,
} = primordials;
const { validateObject } = require('internal/validators');
const { destroyer, errorOrDestroy } = require('internal/streams/destroy');
const { ReadableIterator } = require('internal/streams/readable_iterator');
const { clearChunks } = require('internal/streams/readable_state');
// Readable is not complete here, but it requires this file last, so the parts needed exist.
const { Readable } = require('internal/streams/readable');

function iterate(stream, options) {
  if (typeof stream.read !== 'function') stream = Readable.wrap(stream, { objectMode: true });
  return new ReadableIterator(stream, options);
}

Readable.prototype.wrap = function(stream) {
  let isPaused = false;
  stream.on('data', (chunk) => {
    if (this.push(chunk) || !stream.pause) return;
    isPaused = true;
    stream.pause();
  });
  stream.on('end', () => { this.push(null); });
  stream.on('error', (error) => { errorOrDestroy(this, error); });
  stream.on('close', () => { this.destroy(); });
  stream.on('destroy', () => { this.destroy(); });
  this._read = () => {
    if (!isPaused || !stream.resume) return;
    isPaused = false;
    stream.resume();
  };
  // Copies the other methods of the wrapped stream.
  const keys = ObjectKeys(stream);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (this[key] === undefined && typeof stream[key] === 'function') {
      this[key] = FunctionPrototypeBind(stream[key], stream);
    }
  }
  return this;
};

// Web streams are loaded when they are first used.
const adapters = () => require('internal/webstreams/adapters');
Readable.fromWeb = function(readableStream, options) {
  return adapters().newStreamReadableFromReadableStream(readableStream, options);
};
Readable.toWeb = function(streamReadable, options) {
  return adapters().newReadableStreamFromStreamReadable(streamReadable, options);
};

Readable.wrap = function(source, options) {
  return new Readable({
    objectMode: source.readableObjectMode ?? source.objectMode ?? true,
    ...options,
    destroy(error, callback) {
      destroyer(source, error);
      callback(error);
    },
  }).wrap(source);
};

Readable.prototype[SymbolAsyncIterator] = function() {
  return iterate(this);
};

Readable.prototype.iterator = function(options) {
  if (options !== undefined) validateObject(options, 'options');
  return iterate(this, options);
};

ObjectDefineProperties(Readable.prototype, {
  readable: {
    __proto__: null,
    get() {
      const state = this._readableState;
      return !!state && state.readable !== false && !state.destroyed && !state.errorEmitted && !state.endEmitted;
    },
    set(value) {
      if (this._readableState) this._readableState.readable = !!value;
    },
  },
  readableDidRead: {
    __proto__: null,
    get() { return this._readableState.dataEmitted; },
  },
  readableAborted: {
    __proto__: null,
    get() {
      const state = this._readableState;
      return !!(state.readable !== false && (state.destroyed || state.errored) && !state.endEmitted);
    },
  },
  readableHighWaterMark: {
    __proto__: null,
    get() { return this._readableState.highWaterMark; },
  },
  readableBuffer: {
    __proto__: null,
    get() {
      const state = this._readableState;
      if (state?.length === 0) clearChunks(state);
      return state?.buffer;
    },
  },
  readableFlowing: {
    __proto__: null,
    get() { return this._readableState.flowing; },
    set(value) {
      if (this._readableState) this._readableState.flowing = value;
    },
  },
  readableLength: {
    __proto__: null,
    get() { return this._readableState.length; },
  },
  readableObjectMode: {
    __proto__: null,
    get() { return this._readableState ? this._readableState.objectMode : false; },
  },
  readableEncoding: {
    __proto__: null,
    get() { return this._readableState ? this._readableState.encoding : null; },
  },
  errored: {
    __proto__: null,
    get() { return this._readableState ? this._readableState.errored : null; },
  },
  closed: {
    __proto__: null,
    get() { return this._readableState ? this._readableState.closed : false; },
  },
  destroyed: {
    __proto__: null,
    get() { return this._readableState ? this._readableState.destroyed : false; },
    set(value) {
      // The constructor may not have run yet.
      if (this._readableState) this._readableState.destroyed = value;
    },
  },
  readableEnded: {
    __proto__: null,
    get() { return this._readableState ? this._readableState.endEmitted : false; },
  },
});
