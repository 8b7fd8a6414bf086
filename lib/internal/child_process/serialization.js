'use strict';

// Serialization of IPC messages: lines of JSON, or V8's format. Both are compatible with Node, so that either process
// may be Node.

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

// V8 quotes strings one character at a time. Strings of at least this length are left to the binding, which processes
// many characters at a time.
const kLong = 2048;
// Only messages of at least this size are searched for long strings, because the search costs a call for each value. If
// long strings are a small part of a message, up to kMostSkipped messages are written without a search.
const kMuch = 8192;
const kMostSkipped = 64;
// Placeholder for a string that the binding will write, and its JSON text. A quote that begins a string never follows a
// backslash, so the text is found only where a string begins.
const kMark = '\u0001';
const kMarkText = '"\\u0001"';

// Messages as lines of JSON.
class Json {
  #searches = false;
  #skips = 0;

  // Returns a message as text, or as an array in which every second piece is a string to be quoted by the binding.
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
    // A property name looks like the placeholder: there are more placeholders than strings.
    if (count !== strings.length) return undefined;
    ArrayPrototypePush(pieces, `${StringPrototypeSlice(text, from)}\n`);
    return pieces;
  }

  // Parses all messages in a text of whole lines.
  read(text) {
    const messages = [];
    let from = 0;
    for (let end; (end = StringPrototypeIndexOf(text, '\n', from)) !== -1; from = end + 1) {
      ArrayPrototypePush(messages, JSONParse(StringPrototypeSlice(text, from, end)));
    }
    return messages;
  }
}

// Views by their number in the format; DataView and Buffer come between the older and newer types.
const viewNames = [
  'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array',
  'Float32Array', 'Float64Array', 'DataView', 'Buffer', 'BigInt64Array', 'BigUint64Array',
];
const viewClasses = [
  Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array,
  Float32Array, Float64Array, DataView, undefined, BigInt64Array, BigUint64Array,
];

// Returns the number of a view; other objects that V8 cannot serialize are sent as plain objects.
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
