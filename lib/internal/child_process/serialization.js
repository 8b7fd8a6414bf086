'use strict';

// Formats of messages between processes: lines of JSON, or by V8's own serialization. Node writes the same, so
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

// V8 looks at one character of a string after the other. Strings that are longer than this are left to the binding,
// which takes many at a time.
const kLong = 2048;
// Messages from this size on are worth the search for such strings, which costs a call for each value of the message;
// and where little of a message is in them, so many others are written before the next search.
const kMuch = 8192;
const kMostSkipped = 64;
// Stands for a string that was left out, and how that looks in the text: the first quote of a string never follows upon
// a backslash.
const kMark = '\u0001';
const kMarkText = '"\\u0001"';

// Messages as lines of JSON.
class Json {
  #searches = false;
  #skips = 0;

  // One message as it is written: a text, or pieces of it, of which each second is a string yet to be quoted.
  write(message) {
    if (typeof message === 'string' && message.length >= kLong) return ['', message, '\n'];
    if (this.#searches) {
      const pieces = this.#writeInPieces(message);
      if (pieces !== undefined) return pieces;
    }
    const text = `${JSONStringify(message)}\n`;
    if (text.length >= kMuch) {
      if (this.#skips > 0) this.#skips--;
      else this.#searches = true;
    }
    return text;
  }

  #writeInPieces(message) {
    const strings = [];
    let left = 0;
    const text = JSONStringify(message, (key, value) => {
      if (typeof value !== 'string' || (value.length < kLong && value !== kMark)) return value;
      ArrayPrototypePush(strings, value);
      left += value.length;
      return kMark;
    });
    if (text === undefined) return 'undefined\n';
    if (left < text.length) {
      this.#searches = false;
      if (text.length >= kMuch) this.#skips = kMostSkipped;
    }
    const pieces = [];
    let from = 0;
    let count = 0;
    for (let at = 0; (at = StringPrototypeIndexOf(text, kMarkText, at)) !== -1; at += kMarkText.length) {
      if (at > 0 && text[at - 1] === '\\') continue;
      if (count === strings.length) return undefined;
      ArrayPrototypePush(pieces, StringPrototypeSlice(text, from, at), strings[count++]);
      from = at + kMarkText.length;
    }
    // A name that looks like the mark: there are more of these than strings.
    if (count !== strings.length) return undefined;
    ArrayPrototypePush(pieces, `${StringPrototypeSlice(text, from)}\n`);
    return pieces;
  }

  // All messages of a text of whole lines.
  read(text) {
    const messages = [];
    let from = 0;
    for (let end; (end = StringPrototypeIndexOf(text, '\n', from)) !== -1; from = end + 1) {
      ArrayPrototypePush(messages, JSONParse(StringPrototypeSlice(text, from, end)));
    }
    return messages;
  }
}

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

module.exports = { Json, advanced };
