'use strict';
// The streams of Node: the package readable-stream, and what Node has beyond it.
const {
  ArrayBufferIsView,
  ArrayPrototypeConcat,
  ArrayPrototypeFilter,
  ArrayPrototypeIncludes,
  FunctionPrototypeCall,
  ObjectDefineProperty,
  ObjectGetOwnPropertyNames,
} = primordials;
const EventEmitter = require('events');
const { validateAbortSignal, validateObject } = require('internal/validators');
const { Stream } = require('vendor/readable-stream');
const { duplexPair } = require('internal/streams/duplex_pair');
const { isUint8Array } = require('internal/util/types');

// In the order in which Node lists them, as programs print and copy the module.
const later = [
  'pipeline', 'addAbortSignal', 'finished', 'destroy', 'compose', 'setDefaultHighWaterMark', 'getDefaultHighWaterMark',
];
const moved = { __proto__: null };
for (const name of later) {
  moved[name] = Stream[name];
  delete Stream[name];
}
delete Stream.Stream;
delete Stream.promises;
delete Stream._isUint8Array;
delete Stream._uint8ArrayToBuffer;

Stream.duplexPair = duplexPair;
for (const name of ObjectGetOwnPropertyNames(moved)) Stream[name] = moved[name];
ObjectDefineProperty(Stream, 'promises', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() { return require('stream/promises'); },
});
Stream.Stream = Stream;
Stream._isArrayBufferView = ArrayBufferIsView;
Stream._isUint8Array = isUint8Array;
Stream._uint8ArrayToBuffer = function _uint8ArrayToBuffer(chunk) {
  const { Buffer } = require('buffer');
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
};

delete Stream.Readable.prototype.asIndexedPairs;

// What is composed is a Duplex, not a stream made from one.
Stream.Readable.prototype.compose = function compose(stream, options) {
  if (options !== undefined && options !== null) validateObject(options, 'options');
  const signal = options?.signal;
  if (signal !== undefined && signal !== null) validateAbortSignal(signal, 'options.signal');
  const composed = Stream.compose(this, stream);
  if (signal) require('vendor/readable-stream').addAbortSignal.addAbortSignalNoValidate(signal, composed);
  return composed;
};

// Streams of Node list these events first, whenever a listener was added.
const firstEvents = ['close', 'error', 'prefinish', 'finish', 'drain', 'data', 'end', 'readable'];
Stream.prototype.eventNames = function eventNames() {
  const names = FunctionPrototypeCall(EventEmitter.prototype.eventNames, this);
  const first = ArrayPrototypeFilter(firstEvents, (name) => ArrayPrototypeIncludes(names, name));
  const rest = ArrayPrototypeFilter(names, (name) => !ArrayPrototypeIncludes(firstEvents, name));
  return ArrayPrototypeConcat(first, rest);
};

// Who destroys a Duplex tells those who wait for their writes.
Stream.Duplex.prototype.destroy = Stream.Writable.prototype.destroy;

require('internal/streams/transform');

// The package has no web streams. Ours are loaded when somebody asks for them.
const { Duplex, Readable, Writable } = Stream;
const adapters = () => require('internal/webstreams/adapters');
Readable.fromWeb = function (readableStream, options) {
  return adapters().newStreamReadableFromReadableStream(readableStream, options);
};
Readable.toWeb = function (streamReadable, options) {
  return adapters().newReadableStreamFromStreamReadable(streamReadable, options);
};
Writable.fromWeb = function (writableStream, options) {
  return adapters().newStreamWritableFromWritableStream(writableStream, options);
};
Writable.toWeb = function (streamWritable) {
  return adapters().newWritableStreamFromStreamWritable(streamWritable);
};
Duplex.fromWeb = function (pair, options) {
  return adapters().newStreamDuplexFromReadableWritablePair(pair, options);
};
Duplex.toWeb = function (duplex, options) {
  return adapters().newReadableWritablePairFromDuplex(duplex, options);
};

module.exports = Stream;
