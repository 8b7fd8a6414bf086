'use strict';
// The streams of Node: the package readable-stream, and what Node 20 has beyond it.
const { ArrayBufferIsView, ObjectDefineProperty, ObjectGetOwnPropertyNames } = primordials;
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
Duplex.toWeb = function (duplex) {
  return adapters().newReadableWritablePairFromDuplex(duplex);
};

module.exports = Stream;
