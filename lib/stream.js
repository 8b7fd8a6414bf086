'use strict';
// node:stream. The properties are in Node's order, because programs print and copy the module.
const { ArrayBufferIsView, ObjectDefineProperty, SafeArrayIterator } = primordials;
const { addAbortSignal, addAbortSignalNoValidate } = require('internal/streams/add_abort_signal');
const { compose: composeStreams } = require('internal/streams/compose');
const { destroyer } = require('internal/streams/destroy');
const { Duplex } = require('internal/streams/duplex');
const { duplexPair } = require('internal/streams/duplex_pair');
const { eos } = require('internal/streams/end_of_stream');
const { getDefaultHighWaterMark, setDefaultHighWaterMark } = require('internal/streams/high_water_mark');
const { Stream } = require('internal/streams/legacy');
const { addOperators } = require('internal/streams/operators');
const { pipeline } = require('internal/streams/pipeline');
const { Readable } = require('internal/streams/readable');
const { PassThrough, Transform } = require('internal/streams/transform');
const utils = require('internal/streams/utils');
const { Writable } = require('internal/streams/writable');
const { promisify: { custom: customPromisify } } = require('internal/util');
const { isUint8Array } = require('internal/util/types');
const { validateAbortSignal, validateObject } = require('internal/validators');

Stream.isDestroyed = utils.isDestroyed;
Stream.isDisturbed = utils.isDisturbed;
Stream.isErrored = utils.isErrored;
Stream.isReadable = utils.isReadable;
Stream.isWritable = utils.isWritable;
Stream.Readable = Readable;
Stream.Writable = Writable;
Stream.Duplex = Duplex;
Stream.Transform = Transform;
Stream.PassThrough = PassThrough;
Stream.duplexPair = duplexPair;
Stream.pipeline = pipeline;
Stream.addAbortSignal = addAbortSignal;
Stream.finished = eos;
Stream.destroy = destroyer;
Stream.compose = composeStreams;
Stream.setDefaultHighWaterMark = setDefaultHighWaterMark;
Stream.getDefaultHighWaterMark = getDefaultHighWaterMark;
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

for (const name of new SafeArrayIterator(['pipeline', 'finished'])) {
  ObjectDefineProperty(Stream[name], customPromisify, {
    __proto__: null,
    enumerable: true,
    get() { return require('stream/promises')[name]; },
  });
}

addOperators(Readable);
Readable.prototype.compose = function compose(stream, options) {
  if (options !== undefined && options !== null) validateObject(options, 'options');
  const signal = options?.signal;
  if (signal !== undefined && signal !== null) validateAbortSignal(signal, 'options.signal');
  const composed = composeStreams(this, stream);
  if (signal) addAbortSignalNoValidate(signal, composed);
  return composed;
};

module.exports = Stream;
