'use strict';

// node:string_decoder. The bytes of an incomplete character are buffered until the rest of the character arrives.

const {
  ArrayBufferIsView,
  ObjectDefineProperties,
  Symbol,
  TypedArrayPrototypeGetBuffer,
  TypedArrayPrototypeGetByteOffset,
  TypedArrayPrototypeGetLength,
} = primordials;

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_THIS, ERR_UNKNOWN_ENCODING },
} = require('internal/errors');
const { encodingsMap, normalizeEncoding } = require('internal/util');
const { isUint8Array } = require('internal/util/types');
const { FastBuffer } = require('internal/buffer/fast');
const { encodingOps } = require('internal/buffer/encodings');

// The state is a buffer of seven bytes, in the layout that programs see when they print a decoder: up to four bytes of
// the incomplete character, how many more bytes it needs, how many are buffered, and the number of the encoding.
const kNativeDecoder = Symbol('kNativeDecoder');
const kMissing = 4;
const kBuffered = 5;
const kEncoding = 6;
const kSize = 7;

function StringDecoder(encoding) {
  const name = normalizeEncoding(encoding);
  if (name === undefined) throw new ERR_UNKNOWN_ENCODING(encoding);
  this.encoding = name;
  this[kNativeDecoder] = new FastBuffer(kSize);
  this[kNativeDecoder][kEncoding] = encodingsMap[name];
}

function asBytes(view) {
  if (isUint8Array(view)) {
    return new FastBuffer(
      TypedArrayPrototypeGetBuffer(view), TypedArrayPrototypeGetByteOffset(view), TypedArrayPrototypeGetLength(view));
  }
  return new FastBuffer(view.buffer, view.byteOffset, view.byteLength);
}

StringDecoder.prototype.write = function write(buf) {
  if (typeof buf === 'string') return buf;
  if (!ArrayBufferIsView(buf)) {
    throw new ERR_INVALID_ARG_TYPE('buf', ['Buffer', 'TypedArray', 'DataView'], buf);
  }
  const state = this[kNativeDecoder];
  if (!state) throw new ERR_INVALID_THIS('StringDecoder');
  const bytes = buf instanceof FastBuffer ? buf : asBytes(buf);
  const { length } = bytes;
  switch (state[kEncoding]) {
    case encodingsMap.utf8:
      // The usual case: no bytes are buffered and the last character is complete.
      if (state[kMissing] === 0 && (length === 0 || bytes[length - 1] < 0x80)) return bytes.utf8Slice(0, length);
      return decode(state, bytes, encodingOps.utf8);
    case encodingsMap.utf16le:
      return decode(state, bytes, encodingOps.utf16le);
    case encodingsMap.base64:
      return decode(state, bytes, encodingOps.base64);
    case encodingsMap.base64url:
      return decode(state, bytes, encodingOps.base64url);
    default:
      return encodingOps[this.encoding].slice(bytes, 0, length);
  }
};

StringDecoder.prototype.end = function end(buf) {
  const text = buf === undefined ? '' : this.write(buf);
  const state = this[kNativeDecoder];
  return state[kBuffered] > 0 ? text + flush(state, encodingOps[this.encoding]) : text;
};

// Discards buffered bytes.
StringDecoder.prototype.text = function text(buf, offset) {
  this[kNativeDecoder][kMissing] = 0;
  this[kNativeDecoder][kBuffered] = 0;
  return this.write(buf.slice(offset));
};

ObjectDefineProperties(StringDecoder.prototype, {
  lastChar: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return this[kNativeDecoder].subarray(0, kMissing);
    },
  },
  lastNeed: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return this[kNativeDecoder][kMissing];
    },
  },
  lastTotal: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return this[kNativeDecoder][kBuffered] + this[kNativeDecoder][kMissing];
    },
  },
});

function take(state, bytes, start, count) {
  for (let i = 0; i < count; i++) state[state[kBuffered] + i] = bytes[start + i];
  state[kBuffered] += count;
}

// A byte that does not continue the pending character ends the character: the buffered bytes are decoded without it.
function countContinuations(state, bytes) {
  const most = state[kMissing] < bytes.length ? state[kMissing] : bytes.length;
  for (let i = 0; i < most; i++) {
    if ((bytes[i] & 0xc0) === 0x80) continue;
    state[kMissing] = i;
    return i;
  }
  return most;
}

// Adds bytes to the buffered character. Returns its text if it is complete, and sets `used` to the bytes consumed.
let used = 0;
function complete(state, bytes, ops) {
  used = ops === encodingOps.utf8 ?
    countContinuations(state, bytes) :
    state[kMissing] < bytes.length ? state[kMissing] : bytes.length;
  take(state, bytes, 0, used);
  state[kMissing] -= used;
  if (state[kMissing] > 0) return '';
  const count = state[kBuffered];
  state[kBuffered] = 0;
  return ops.slice(state, 0, count);
}

// Finds an incomplete character at the end of `bytes`, and stores how many of its bytes to buffer and how many are
// missing.
function findIncomplete(state, bytes, start, ops) {
  const { length } = bytes;
  if (ops === encodingOps.utf16le) {
    if ((length - start) % 2 === 1) {
      state[kBuffered] = state[kMissing] = 1;
    } else if ((bytes[length - 1] & 0xfc) === 0xd8) {
      state[kBuffered] = state[kMissing] = 2;
    }
    return;
  }
  if (ops !== encodingOps.utf8) {
    state[kBuffered] = (length - start) % 3;
    if (state[kBuffered] > 0) state[kMissing] = 3 - state[kBuffered];
    return;
  }
  for (let count = 1; count <= 4 && count <= length - start; count++) {
    const byte = bytes[length - count];
    if ((byte & 0xc0) === 0x80) continue;
    const total = byte >= 0xf8 || byte < 0xc0 ? 0 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    if (count < total) {
      state[kBuffered] = count;
      state[kMissing] = total - count;
    }
    return;
  }
}

function decode(state, bytes, ops) {
  let text = '';
  let start = 0;
  if (state[kMissing] > 0) {
    text = complete(state, bytes, ops);
    start = used;
  }
  if (start === bytes.length) return text;
  findIncomplete(state, bytes, start, ops);
  const waiting = state[kBuffered];
  const end = bytes.length - waiting;
  if (waiting > 0) {
    state[kBuffered] = 0;
    take(state, bytes, end, waiting);
  }
  return end > start ? text + ops.slice(bytes, start, end) : text;
}

// Decodes the buffered bytes of an incomplete character at the end of the input.
function flush(state, ops) {
  // Drop half a UTF-16 unit.
  if (ops === encodingOps.utf16le && state[kBuffered] % 2 === 1) state[kBuffered]--;
  const count = state[kBuffered];
  state[kBuffered] = 0;
  state[kMissing] = 0;
  return count === 0 ? '' : ops.slice(state, 0, count);
}

module.exports = { StringDecoder };
