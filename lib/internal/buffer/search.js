'use strict';
// Searches buffers: the common part of indexOf(), lastIndexOf() and includes().

const {
  MathMax,
  MathTrunc,
  NumberIsNaN,
  TypedArrayPrototypeGetLength,
} = primordials;

const binding = internalBinding('bytes');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_UNKNOWN_ENCODING } } = require('internal/errors');
const { validateBuffer } = require('internal/validators');
const { isUint8Array } = require('internal/util/types');
const { FastBuffer } = require('internal/buffer/fast');
const { encodingOps, getEncodingOps } = require('internal/buffer/encodings');
const { fromStringFast } = require('internal/buffer/create');

// Returns the start of a search, or -1 if no match is possible. Negative offsets count from the end. A backward search
// may start after the last position at which the needle fits.
function searchStart(length, offset, needleLength, isForward) {
  if (offset < 0) {
    if (offset + length >= 0) return length + offset;
    return isForward || needleLength === 0 ? 0 : -1;
  }
  if (offset + needleLength <= length) return offset;
  if (needleLength === 0) return length;
  return isForward ? -1 : length - 1;
}

// Up to this size a loop is faster than a native call.
const kShortSearch = 48;
function findByte(buffer, byte, start, length, isForward) {
  if (isForward) {
    for (let i = start; i < length; i++) {
      if (buffer[i] === byte) return i;
    }
    return -1;
  }
  for (let i = start; i >= 0; i--) {
    if (buffer[i] === byte) return i;
  }
  return -1;
}

function search(buffer, value, byteOffset, end, encoding, isForward) {
  validateBuffer(buffer);
  let length = buffer.byteLength;
  if (typeof end === 'string') {
    encoding = end;
  } else if (end !== undefined && typeof byteOffset !== 'string') {
    // Limits the search to the bytes before `end`.
    const limit = MathTrunc(+end) || 0;
    if (limit < length) {
      length = MathMax(limit, 0);
      buffer = new FastBuffer(buffer.buffer, buffer.byteOffset, length);
    }
  }
  if (typeof byteOffset === 'string') {
    encoding = byteOffset;
    byteOffset = undefined;
  }
  if (byteOffset === undefined) {
    byteOffset = isForward ? 0 : length;
  } else {
    byteOffset = +byteOffset;
    if (NumberIsNaN(byteOffset)) byteOffset = isForward ? 0 : length;
    else if (byteOffset > 0x7fffffff) byteOffset = 0x7fffffff;
    else if (byteOffset < -0x80000000) byteOffset = -0x80000000;
    else byteOffset = MathTrunc(byteOffset);
  }
  if (typeof value === 'number') {
    const start = searchStart(length, byteOffset, 1, isForward);
    if (start < 0 || length === 0) return -1;
    return length <= kShortSearch && buffer instanceof FastBuffer ?
      findByte(buffer, value & 255, start, length, isForward) :
      binding.indexOfByte(buffer, value & 255, start, isForward);
  }
  const ops = encoding === undefined ? encodingOps.utf8 : getEncodingOps(encoding);
  if (typeof value === 'string') {
    if (ops === undefined) throw new ERR_UNKNOWN_ENCODING(encoding);
    if (value.length !== 0 && (ops === encodingOps.utf8 || ops === encodingOps.latin1)) {
      return binding.indexOfString(buffer, value, byteOffset, ops === encodingOps.utf8, isForward);
    }
    value = value.length === 0 ? new FastBuffer() : fromStringFast(value, ops);
    // Ignores half a unit at the end.
    if (ops === encodingOps.utf16le) length -= length % 2;
  } else if (!isUint8Array(value)) {
    throw new ERR_INVALID_ARG_TYPE('value', ['number', 'string', 'Buffer', 'Uint8Array'], value);
  }
  const needleLength = TypedArrayPrototypeGetLength(value);
  const start = searchStart(length, byteOffset, needleLength, isForward);
  if (needleLength === 0 || start < 0) return start;
  return binding.indexOfBytes(buffer, value, start, ops === encodingOps.utf16le ? 2 : 1, isForward);
}

module.exports = { search };
