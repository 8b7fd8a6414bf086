'use strict';

// The methods of buffers, except those that read and write numbers.

const {
  ArrayBufferIsView,
  FunctionPrototypeCall,
  MathFloor,
  MathTrunc,
  NumberIsNaN,
  NumberMAX_SAFE_INTEGER,
  NumberMIN_SAFE_INTEGER,
  ObjectPrototypeHasOwnProperty,
  StringPrototypeCharCodeAt,
  StringPrototypeSlice,
  TypedArrayPrototypeFill,
  TypedArrayPrototypeGetByteLength,
  TypedArrayPrototypeGetLength,
  TypedArrayPrototypeSet,
} = primordials;

const native = internalBinding('buffer');
const { base64Slice, fillString, hexSlice, kMaxLength, latin1Slice, utf8Slice } = native;
const binding = internalBinding('bytes');
const {
  codes: {
    ERR_BUFFER_OUT_OF_BOUNDS,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_INVALID_BUFFER_SIZE,
    ERR_OUT_OF_RANGE,
    ERR_UNKNOWN_ENCODING,
  },
} = require('internal/errors');
const { validateInteger, validateString } = require('internal/validators');
const { normalizeEncoding } = require('internal/util');
const { isArrayBufferView, isUint8Array } = require('internal/util/types');
const { FastBuffer } = require('internal/buffer/fast');
const { encodingOps, getEncodingOps } = require('internal/buffer/encodings');
const { search } = require('internal/buffer/search');

const { decodeShort, kShortBytes } = require('internal/buffer/short');

const kShortString = 24;

// The number of bytes that inspect() shows.
const display = { maxBytes: 50 };

function validateOffset(value, name, min = 0, max = kMaxLength) {
  validateInteger(value, name, min, max);
}

function decodeUtf8(buffer, start, end) {
  if (end - start <= kShortBytes) {
    const text = decodeShort(buffer, start, end);
    if (text !== undefined) return text;
  }
  return FunctionPrototypeCall(utf8Slice, buffer, start, end);
}

function decodeLatin1(buffer, start, end) {
  if (end - start <= kShortBytes) {
    const text = decodeShort(buffer, start, end);
    if (text !== undefined) return text;
  }
  return FunctionPrototypeCall(latin1Slice, buffer, start, end);
}

function toString(encoding, start, end) {
  const length = this.length;
  if (arguments.length === 0) return decodeUtf8(this, 0, length);
  if (start === undefined || start <= 0) {
    start = 0;
  } else if (start >= length) {
    return '';
  } else {
    start = MathTrunc(start) || 0;
  }
  if (end === undefined || end > length) {
    end = length;
  } else {
    end = MathTrunc(end) || 0;
  }
  if (end <= start) return '';
  // The most frequent names have direct calls, which V8 can inline.
  switch (encoding) {
    case undefined:
    case 'utf8':
    case 'utf-8':
      return decodeUtf8(this, start, end);
    case 'hex':
      return FunctionPrototypeCall(hexSlice, this, start, end);
    case 'base64':
      return FunctionPrototypeCall(base64Slice, this, start, end);
    case 'latin1':
    case 'binary':
      return decodeLatin1(this, start, end);
    default: {
      const ops = getEncodingOps(encoding);
      if (ops === undefined) throw new ERR_UNKNOWN_ENCODING(encoding);
      return ops.slice(this, start, end);
    }
  }
}

// Writes short ASCII without a native call. Returns false if there are other characters.
function writeShort(buffer, string, offset) {
  const { length } = string;
  for (let i = 0; i < length; i++) {
    const code = StringPrototypeCharCodeAt(string, i);
    if (code >= 0x80) return false;
    buffer[offset + i] = code;
  }
  return true;
}

function writeUtf8(buffer, string, offset, length) {
  if (typeof string === 'string' && string.length <= kShortString && string.length <= length &&
      writeShort(buffer, string, offset)) {
    return string.length;
  }
  return buffer.utf8Write(string, offset, length);
}

function write(string, offset, length, encoding) {
  if (offset === undefined) return writeUtf8(this, string, 0, this.length);
  if (length === undefined && typeof offset === 'string') {
    encoding = offset;
    length = this.length;
    offset = 0;
  } else {
    validateOffset(offset, 'offset', 0, this.length);
    const remaining = this.length - offset;
    if (length === undefined) {
      length = remaining;
    } else if (typeof length === 'string') {
      encoding = length;
      length = remaining;
    } else {
      validateOffset(length, 'length', 0, this.length);
      if (length > remaining) length = remaining;
    }
  }
  if (!encoding || encoding === 'utf8') return writeUtf8(this, string, offset, length);
  const ops = getEncodingOps(encoding);
  if (ops === undefined) throw new ERR_UNKNOWN_ENCODING(encoding);
  return ops.write(this, string, offset, length);
}

function equals(otherBuffer) {
  if (!isUint8Array(otherBuffer)) {
    throw new ERR_INVALID_ARG_TYPE('otherBuffer', ['Buffer', 'Uint8Array'], otherBuffer);
  }
  if (this === otherBuffer) return true;
  const length = TypedArrayPrototypeGetByteLength(this);
  if (length !== TypedArrayPrototypeGetByteLength(otherBuffer)) return false;
  return length === 0 || binding.compare(this, otherBuffer) === 0;
}

function compareBuffers(buf1, buf2) {
  if (!isUint8Array(buf1)) throw new ERR_INVALID_ARG_TYPE('buf1', ['Buffer', 'Uint8Array'], buf1);
  if (!isUint8Array(buf2)) throw new ERR_INVALID_ARG_TYPE('buf2', ['Buffer', 'Uint8Array'], buf2);
  return buf1 === buf2 ? 0 : binding.compare(buf1, buf2);
}

function compare(target, targetStart, targetEnd, sourceStart, sourceEnd) {
  if (!isUint8Array(target)) throw new ERR_INVALID_ARG_TYPE('target', ['Buffer', 'Uint8Array'], target);
  if (arguments.length === 1) return binding.compare(this, target);
  if (targetStart === undefined) targetStart = 0;
  else validateOffset(targetStart, 'targetStart');
  if (targetEnd === undefined) targetEnd = target.length;
  else validateOffset(targetEnd, 'targetEnd', 0, target.length);
  if (sourceStart === undefined) sourceStart = 0;
  else validateOffset(sourceStart, 'sourceStart');
  if (sourceEnd === undefined) sourceEnd = this.length;
  else validateOffset(sourceEnd, 'sourceEnd', 0, this.length);
  if (sourceStart >= sourceEnd) return targetStart >= targetEnd ? 0 : -1;
  if (targetStart >= targetEnd) return 1;
  return binding.compareRanges(this, sourceStart, sourceEnd, target, targetStart, targetEnd);
}

function toInteger(value) {
  value = +value;
  if (value >= NumberMIN_SAFE_INTEGER && value <= NumberMAX_SAFE_INTEGER) return MathFloor(value);
  return 0;
}

// Converts any view to its bytes.
function asBytes(view, name) {
  if (isUint8Array(view)) return view;
  if (!ArrayBufferIsView(view)) throw new ERR_INVALID_ARG_TYPE(name, ['Buffer', 'Uint8Array'], view);
  return new FastBuffer(view.buffer, view.byteOffset, view.byteLength);
}

function copyBytes(source, target, targetStart, sourceStart, sourceEnd) {
  source = asBytes(source, 'source');
  target = asBytes(target, 'target');
  const sourceLength = TypedArrayPrototypeGetLength(source);
  const targetLength = TypedArrayPrototypeGetLength(target);
  if (targetStart === undefined) {
    targetStart = 0;
  } else {
    targetStart = toInteger(targetStart);
    if (targetStart < 0) throw new ERR_OUT_OF_RANGE('targetStart', '>= 0', targetStart);
  }
  if (sourceStart === undefined) {
    sourceStart = 0;
  } else {
    sourceStart = toInteger(sourceStart);
    if (sourceStart < 0 || sourceStart > sourceLength) {
      throw new ERR_OUT_OF_RANGE('sourceStart', `>= 0 && <= ${sourceLength}`, sourceStart);
    }
  }
  if (sourceEnd === undefined) {
    sourceEnd = sourceLength;
  } else {
    sourceEnd = toInteger(sourceEnd);
    if (sourceEnd < 0) throw new ERR_OUT_OF_RANGE('sourceEnd', '>= 0', sourceEnd);
    if (sourceEnd > sourceLength) sourceEnd = sourceLength;
  }
  if (targetStart >= targetLength || sourceStart >= sourceEnd) return 0;
  let count = sourceEnd - sourceStart;
  if (count > targetLength - targetStart) count = targetLength - targetStart;
  if (count !== sourceLength) return binding.copy(source, sourceStart, target, targetStart, count);
  try {
    TypedArrayPrototypeSet(target, source, targetStart);
  } catch {
    // V8 throws if either array is immutable; the binding copies from an immutable source.
    return binding.copy(source, sourceStart, target, targetStart, count);
  }
  return count;
}

function copy(target, targetStart, sourceStart, sourceEnd) {
  return copyBytes(this, target, targetStart, sourceStart, sourceEnd);
}

function fillBuffer(buffer, value, offset, end, encoding) {
  if (typeof value === 'string') {
    if (offset === undefined || typeof offset === 'string') {
      encoding = offset;
      offset = 0;
      end = buffer.length;
    } else if (typeof end === 'string') {
      encoding = end;
      end = buffer.length;
    }
    if (normalizeEncoding(encoding) === undefined) {
      validateString(encoding, 'encoding');
      throw new ERR_UNKNOWN_ENCODING(encoding);
    }
  }
  if (offset === undefined) {
    offset = 0;
    end = buffer.length;
  } else {
    validateOffset(offset, 'offset');
    if (end === undefined) end = buffer.length;
    else validateOffset(end, 'end', 0, buffer.length);
    if (offset >= end) return buffer;
  }
  // A program may have redefined `length`, or resized or detached the memory.
  if (end > TypedArrayPrototypeGetByteLength(buffer)) throw new ERR_BUFFER_OUT_OF_BOUNDS();
  let pattern;
  if (typeof value === 'string') {
    const ops = encoding ? getEncodingOps(encoding) : encodingOps.utf8;
    if (value.length === 0) {
      value = 0;
    } else {
      const code = StringPrototypeCharCodeAt(value, 0);
      if (value.length === 1 && (ops === encodingOps.latin1 || (ops === encodingOps.utf8 && code < 0x80))) {
        value = code;
      } else {
        if (!fillString(buffer, value, offset, end, ops.id)) throw new ERR_INVALID_ARG_VALUE('value', value);
        return buffer;
      }
    }
  } else if (isArrayBufferView(value)) {
    pattern = value;
  }
  if (pattern === undefined) {
    TypedArrayPrototypeFill(buffer, +value & 255, offset, end);
    return buffer;
  }
  if (pattern.byteLength === 0) throw new ERR_INVALID_ARG_VALUE('value', value);
  binding.fill(buffer, pattern, offset, end);
  return buffer;
}

function fill(value, offset, end, encoding) {
  return fillBuffer(this, value, offset, end, encoding);
}

function indexOf(value, byteOffset, end, encoding) {
  return search(this, value, byteOffset, end, encoding, true);
}

function lastIndexOf(value, byteOffset, end, encoding) {
  return search(this, value, byteOffset, end, encoding, false);
}

function includes(value, byteOffset, end, encoding) {
  return search(this, value, byteOffset, end, encoding, true) !== -1;
}

function toJSON() {
  const data = [];
  for (let i = 0; i < this.length; i++) data[i] = this[i];
  return { type: 'Buffer', data };
}

// Converts an index, which may count from the end, to one within the buffer.
function clampIndex(index, length) {
  index = MathTrunc(index);
  if (index === 0 || NumberIsNaN(index)) return 0;
  if (index < 0) {
    index += length;
    return index > 0 ? index : 0;
  }
  return index < length ? index : length;
}

function subarray(start, end) {
  const length = this.length;
  start = clampIndex(start, length);
  end = end !== undefined ? clampIndex(end, length) : length;
  return new FastBuffer(this.buffer, this.byteOffset + start, end > start ? end - start : 0);
}

function slice(start, end) {
  return this.subarray(start, end);
}

// Short buffers are swapped in a loop, which is faster than a native call.
function swap16() {
  const length = this.length;
  if (length % 2 !== 0) throw new ERR_INVALID_BUFFER_SIZE('16-bits');
  if (length >= 128) {
    binding.swap16(this);
    return this;
  }
  for (let i = 0; i < length; i += 2) {
    const first = this[i];
    this[i] = this[i + 1];
    this[i + 1] = first;
  }
  return this;
}

function reverseItems(buffer, size) {
  const length = buffer.length;
  for (let start = 0; start < length; start += size) {
    for (let left = start, right = start + size - 1; left < right; left++, right--) {
      const byte = buffer[left];
      buffer[left] = buffer[right];
      buffer[right] = byte;
    }
  }
  return buffer;
}

function swap32() {
  if (this.length % 4 !== 0) throw new ERR_INVALID_BUFFER_SIZE('32-bits');
  if (this.length < 128) return reverseItems(this, 4);
  binding.swap32(this);
  return this;
}

function swap64() {
  if (this.length % 8 !== 0) throw new ERR_INVALID_BUFFER_SIZE('64-bits');
  if (this.length < 128) return reverseItems(this, 8);
  binding.swap64(this);
  return this;
}

const hexDigits = '0123456789abcdef';

function inspect(recurseTimes, context) {
  if (!isUint8Array(this)) throw new ERR_INVALID_ARG_TYPE('this', ['Buffer', 'Uint8Array'], this);
  const length = TypedArrayPrototypeGetLength(this); // The real length, which a program cannot redefine.
  const shown = length < display.maxBytes ? length : display.maxBytes;
  let text = '';
  for (let i = 0; i < shown; i++) {
    text += `${i === 0 ? '' : ' '}${hexDigits[this[i] >> 4]}${hexDigits[this[i] & 15]}`;
  }
  const hidden = length - shown;
  if (hidden > 0) text += ` ... ${hidden} more byte${hidden > 1 ? 's' : ''}`;
  if (context) {
    const keys = binding.getOwnNonIndexProperties(this, context.showHidden);
    if (keys.length > 0) {
      const extras = {};
      for (let i = 0; i < keys.length; i++) extras[keys[i]] = this[keys[i]];
      const all = require('internal/util/inspect').inspect(extras,
        { ...context, breakLength: Infinity, compact: true });
      if (length !== 0) text += ', ';
      text += StringPrototypeSlice(all, 2, -2);
    }
  }
  return `<${nameOf(this)} ${text}>`;
}

function nameOf(buffer) {
  try {
    const { constructor } = buffer;
    if (typeof constructor === 'function' && ObjectPrototypeHasOwnProperty(constructor, 'name')) {
      return constructor.name;
    }
  } catch {
    // A getter of the program threw: use the default name.
  }
  return 'Buffer';
}

module.exports = {
  display,
  compareBuffers,
  copyBytes,
  fillBuffer,
  // The methods of Buffer.prototype, in this order.
  methods: {
    copy,
    toString,
    equals,
    inspect,
    compare,
    indexOf,
    lastIndexOf,
    includes,
    fill,
    write,
    toJSON,
    subarray,
    slice,
    swap16,
    swap32,
    swap64,
    toLocaleString: toString,
  },
};
