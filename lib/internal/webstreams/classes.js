'use strict';
// The classes of stream/web, and the properties by which `stream` and structuredClone() recognize them.
const { ObjectDefineProperties, ObjectDefineProperty, SymbolFor } = primordials;
const { registerStreams, kTransfer } = require('internal/structured_clone');
const { ByteLengthQueuingStrategy, CountQueuingStrategy } = require('internal/webstreams/strategies');
const {
  ReadableStream,
  ReadableStreamBYOBReader,
  ReadableStreamDefaultReader,
  coreOfReadable,
  isReadableStream,
} = require('internal/webstreams/readable');
const {
  ReadableByteStreamController,
  ReadableStreamBYOBRequest,
  ReadableStreamDefaultController,
} = require('internal/webstreams/readable_controllers');
const { DefaultSource } = require('internal/webstreams/readable_core');
const {
  TransformStream,
  TransformStreamDefaultController,
  isTransformStream,
} = require('internal/webstreams/transform');
const {
  WritableStream,
  WritableStreamDefaultController,
  WritableStreamDefaultWriter,
  coreOfWritable,
  isWritableStream,
} = require('internal/webstreams/writable');

function hidden(get) {
  return { __proto__: null, configurable: true, enumerable: false, get };
}

ObjectDefineProperties(ReadableStream.prototype, {
  [SymbolFor('nodejs.stream.disturbed')]: hidden(function() { return coreOfReadable(this).isDisturbed; }),
  [SymbolFor('nodejs.stream.errored')]: hidden(function() { return coreOfReadable(this).state === 'errored'; }),
  [SymbolFor('nodejs.stream.readable')]: hidden(function() { return coreOfReadable(this).state === 'readable'; }),
  [SymbolFor('nodejs.webstream.isClosedPromise')]: hidden(function() { return coreOfReadable(this).closed; }),
  // Not of byte streams, as in Node.
  [SymbolFor('nodejs.webstream.controllerErrorFunction')]: hidden(function() {
    const core = coreOfReadable(this);
    return (error) => { if (core instanceof DefaultSource) core.error(error); };
  }),
});
ObjectDefineProperties(WritableStream.prototype, {
  [SymbolFor('nodejs.stream.errored')]: hidden(function() { return coreOfWritable(this).state === 'errored'; }),
  [SymbolFor('nodejs.stream.writable')]: hidden(function() { return coreOfWritable(this).state === 'writable'; }),
  [SymbolFor('nodejs.webstream.isClosedPromise')]: hidden(function() { return coreOfWritable(this).closed; }),
  [SymbolFor('nodejs.webstream.controllerErrorFunction')]: hidden(function() {
    const core = coreOfWritable(this);
    return (error) => core.errorIfWritable(error);
  }),
});

// Streams in a transfer list are moved.
registerStreams(
  [ReadableStream.prototype, WritableStream.prototype, TransformStream.prototype],
  (value) => isReadableStream(value) || isWritableStream(value) || isTransformStream(value),
);
function addTransfer(prototype, name) {
  ObjectDefineProperty(prototype, kTransfer, {
    __proto__: null, value: function() { return require('internal/webstreams/transfer')[name](this); },
  });
}
addTransfer(ReadableStream.prototype, 'transferReadable');
addTransfer(WritableStream.prototype, 'transferWritable');
addTransfer(TransformStream.prototype, 'transferTransform');

// The order of these properties is that of stream/web.
module.exports = {
  ReadableStream,
  ReadableStreamDefaultReader,
  ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest,
  ReadableByteStreamController,
  ReadableStreamDefaultController,
  TransformStream,
  TransformStreamDefaultController,
  WritableStream,
  WritableStreamDefaultWriter,
  WritableStreamDefaultController,
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
};
