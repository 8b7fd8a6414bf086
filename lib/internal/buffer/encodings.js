'use strict';

// The operations of each encoding, looked up by any spelling of its name.

const { FunctionPrototypeCall, StringPrototypeCharCodeAt, StringPrototypeToLowerCase } = primordials;

const binding = internalBinding('buffer');
const { encodingsMap } = require('internal/util');

// Up to this length a loop is faster than a native call.
const kShortString = 24;

function byteLengthUtf8(string) {
  const { length } = string;
  if (length > kShortString) return binding.byteLengthUtf8(string);
  for (let i = 0; i < length; i++) {
    if (StringPrototypeCharCodeAt(string, i) >= 0x80) return binding.byteLengthUtf8(string);
  }
  return length;
}

// Returns an upper bound of the decoded size. Padding is not counted, but other invalid characters are.
function byteLengthBase64(string) {
  let { length } = string;
  if (length > 0 && StringPrototypeCharCodeAt(string, length - 1) === 0x3d) length--;
  if (length > 1 && StringPrototypeCharCodeAt(string, length - 1) === 0x3d) length--;
  // No shifts, because the product may exceed 32 bits.
  return (length * 3 - length * 3 % 4) / 4;
}

const byteLengthSame = (string) => string.length;
const byteLengthDouble = (string) => string.length * 2;
const byteLengthHalf = (string) => string.length >>> 1;

const utf8 = {
  name: 'utf8',
  id: encodingsMap.utf8,
  byteLength: byteLengthUtf8,
  slice: (buffer, start, end) => FunctionPrototypeCall(binding.utf8Slice, buffer, start, end),
  write: (buffer, string, offset, length) => FunctionPrototypeCall(binding.utf8Write, buffer, string, offset, length),
};
const utf16le = {
  name: 'utf16le',
  id: encodingsMap.utf16le,
  byteLength: byteLengthDouble,
  slice: (buffer, start, end) => FunctionPrototypeCall(binding.ucs2Slice, buffer, start, end),
  write: (buffer, string, offset, length) => FunctionPrototypeCall(binding.ucs2Write, buffer, string, offset, length),
};
const latin1 = {
  name: 'latin1',
  id: encodingsMap.latin1,
  byteLength: byteLengthSame,
  slice: (buffer, start, end) => FunctionPrototypeCall(binding.latin1Slice, buffer, start, end),
  write: (buffer, string, offset, length) => FunctionPrototypeCall(binding.latin1Write, buffer, string, offset, length),
};
const ascii = {
  name: 'ascii',
  id: encodingsMap.ascii,
  byteLength: byteLengthSame,
  slice: (buffer, start, end) => FunctionPrototypeCall(binding.asciiSlice, buffer, start, end),
  write: (buffer, string, offset, length) => FunctionPrototypeCall(binding.asciiWrite, buffer, string, offset, length),
};
const base64 = {
  name: 'base64',
  id: encodingsMap.base64,
  byteLength: byteLengthBase64,
  slice: (buffer, start, end) => FunctionPrototypeCall(binding.base64Slice, buffer, start, end),
  write: (buffer, string, offset, length) => FunctionPrototypeCall(binding.base64Write, buffer, string, offset, length),
};
const base64url = {
  name: 'base64url',
  id: encodingsMap.base64url,
  byteLength: byteLengthBase64,
  slice: (buffer, start, end) => FunctionPrototypeCall(binding.base64urlSlice, buffer, start, end),
  write: (buffer, string, offset, length) =>
    FunctionPrototypeCall(binding.base64urlWrite, buffer, string, offset, length),
};
const hex = {
  name: 'hex',
  id: encodingsMap.hex,
  byteLength: byteLengthHalf,
  slice: (buffer, start, end) => FunctionPrototypeCall(binding.hexSlice, buffer, start, end),
  write: (buffer, string, offset, length) => FunctionPrototypeCall(binding.hexWrite, buffer, string, offset, length),
};

function findLowerCase(encoding) {
  switch (encoding) {
    case 'utf8':
    case 'utf-8':
      return utf8;
    case 'hex':
      return hex;
    case 'base64':
      return base64;
    case 'latin1':
    case 'binary':
      return latin1;
    case 'ascii':
      return ascii;
    case 'base64url':
      return base64url;
    case 'utf16le':
    case 'utf-16le':
    case 'ucs2':
    case 'ucs-2':
      return utf16le;
    default:
      return undefined;
  }
}

// Returns undefined for an unknown encoding.
function getEncodingOps(encoding) {
  const found = findLowerCase(encoding);
  return found !== undefined ? found : findLowerCase(StringPrototypeToLowerCase(`${encoding}`));
}

module.exports = { encodingOps: { ascii, base64, base64url, hex, latin1, utf16le, utf8 }, getEncodingOps };
