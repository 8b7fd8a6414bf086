'use strict';

// How messages are written between processes: as lines of JSON, or by V8's own serialization. Node writes the same, so
// that either side may be it.

const {
  ArrayBufferIsView,
  ArrayPrototypeIndexOf,
  ArrayPrototypePush,
  BigInt64Array,
  BigUint64Array,
  DataView,
  Error,
  Float32Array,
  Float64Array,
  Int16Array,
  Int32Array,
  Int8Array,
  JSONParse,
  JSONStringify,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  TypedArrayPrototypeGetSymbolToStringTag,
  Uint16Array,
  Uint32Array,
  Uint8Array,
  Uint8ClampedArray,
} = primordials;

const binding = internalBinding('ipc');

const json = {
  // One message as it is written.
  write(message) {
    return `${JSONStringify(message)}\n`;
  },
  // All messages of a text of whole lines.
  read(text) {
    const messages = [];
    let from = 0;
    for (let end; (end = StringPrototypeIndexOf(text, '\n', from)) !== -1; from = end + 1) {
      ArrayPrototypePush(messages, JSONParse(StringPrototypeSlice(text, from, end)));
    }
    return messages;
  },
};

// By the numbers under which they are written; a DataView and a Buffer stand between the older and the newer ones.
const viewNames = [
  'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array',
  'Float32Array', 'Float64Array', 'DataView', 'Buffer', 'BigInt64Array', 'BigUint64Array',
];
const viewClasses = [
  Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array,
  Float32Array, Float64Array, DataView, undefined, BigInt64Array, BigUint64Array,
];

// The number of a view; anything else that V8 asks about is sent as a plain object.
function kindOfView(value) {
  if (!ArrayBufferIsView(value)) return { ...value };
  const { Buffer } = require('buffer');
  if (Buffer.isBuffer(value)) return binding.kBuffer;
  const name = TypedArrayPrototypeGetSymbolToStringTag(value);
  return name === undefined ? binding.kDataView : ArrayPrototypeIndexOf(viewNames, name);
}

function makeView(kind, bytes) {
  if (kind === binding.kBuffer) return require('buffer').Buffer.from(bytes);
  const View = viewClasses[kind];
  return new View(bytes);
}

function makeError(message) {
  return new Error(message);
}

const kSizeBytes = 4;

const advanced = {
  write(message) {
    return binding.serialize(message, makeError, kindOfView);
  },
  read(buffer) {
    const messages = [];
    const sizes = new DataView(buffer);
    let at = 0;
    while (at < buffer.byteLength) {
      const size = sizes.getUint32(at);
      at += kSizeBytes;
      ArrayPrototypePush(messages, binding.deserialize(new Uint8Array(buffer, at, size), makeView));
      at += size;
    }
    return messages;
  },
};

module.exports = { json, advanced };
