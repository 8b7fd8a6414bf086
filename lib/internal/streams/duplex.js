'use strict';
// Duplex: a Readable that is also a Writable. The two sides share only their end.
const {
  FunctionPrototypeCall,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ObjectKeys,
  ObjectSetPrototypeOf,
} = primordials;
const { addAbortSignal } = require('internal/streams/add_abort_signal');
const { construct } = require('internal/streams/destroy');
const { Stream } = require('internal/streams/legacy');
const { Readable, startReading } = require('internal/streams/readable');
const { ReadableState } = require('internal/streams/readable_state');
const { Writable, startWriting } = require('internal/streams/writable');
const { WritableState } = require('internal/streams/writable_state');

function Duplex(options) {
  if (!(this instanceof Duplex)) return new Duplex(options);
  this._readableState = new ReadableState(options, this, true);
  this._writableState = new WritableState(options, this, true);
  this.allowHalfOpen = options?.allowHalfOpen !== false;
  if (options) applyOptions(this, options);
  FunctionPrototypeCall(Stream, this, options);
  if (this._construct !== undefined && this._construct !== null) {
    construct(this, () => {
      startReading(this);
      startWriting(this);
    });
  }
}
ObjectSetPrototypeOf(Duplex.prototype, Readable.prototype);
ObjectSetPrototypeOf(Duplex, Readable);

function applyOptions(stream, options) {
  if (options.readable === false) {
    const state = stream._readableState;
    state.readable = false;
    state.ended = true;
    state.endEmitted = true;
  }
  if (options.writable === false) {
    const state = stream._writableState;
    state.writable = false;
    state.ending = true;
    state.ended = true;
    state.finished = true;
  }
  if (typeof options.read === 'function') stream._read = options.read;
  if (typeof options.write === 'function') stream._write = options.write;
  if (typeof options.writev === 'function') stream._writev = options.writev;
  if (typeof options.destroy === 'function') stream._destroy = options.destroy;
  if (typeof options.final === 'function') stream._final = options.final;
  if (typeof options.construct === 'function') stream._construct = options.construct;
  if (options.signal) addAbortSignal(options.signal, stream);
}

// The writable side. If both classes have a method, Readable's is used, except for destroy(): Writable's also calls the
// callbacks of pending writes.
const methods = ObjectKeys(Writable.prototype);
for (let i = 0; i < methods.length; i++) Duplex.prototype[methods[i]] ||= Writable.prototype[methods[i]];
Duplex.prototype.destroy = Writable.prototype.destroy;
const properties = [
  'writable', 'writableHighWaterMark', 'writableObjectMode', 'writableBuffer', 'writableLength', 'writableFinished',
  'writableCorked', 'writableEnded', 'writableNeedDrain',
];
for (let i = 0; i < properties.length; i++) {
  const descriptor = ObjectGetOwnPropertyDescriptor(Writable.prototype, properties[i]);
  ObjectDefineProperty(Duplex.prototype, properties[i], { __proto__: null, ...descriptor });
}
ObjectDefineProperties(Duplex.prototype, {
  destroyed: {
    __proto__: null,
    get() {
      const { _readableState: readable, _writableState: writable } = this;
      return readable !== undefined && writable !== undefined && readable.destroyed && writable.destroyed;
    },
    set(value) {
      const { _readableState: readable, _writableState: writable } = this;
      if (!readable || !writable) return;
      readable.destroyed = value;
      writable.destroyed = value;
    },
  },
});

// Web streams are loaded when they are first used.
const adapters = () => require('internal/webstreams/adapters');
Duplex.fromWeb = function(pair, options) {
  return adapters().newStreamDuplexFromReadableWritablePair(pair, options);
};
Duplex.toWeb = function(duplex, options) {
  return adapters().newReadableWritablePairFromDuplex(duplex, options);
};

Duplex.from = function(body) {
  return require('internal/streams/duplexify').duplexify(body, 'body');
};

module.exports = { Duplex };
