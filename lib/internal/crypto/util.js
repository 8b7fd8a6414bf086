'use strict';

// Conversion of input and output, shared by the files of crypto.

const { ArrayBufferIsView, Symbol } = primordials;

const { ERR_INVALID_ARG_TYPE, ERR_UNKNOWN_ENCODING } = require('internal/errors').codes;
const { FastBuffer } = require('internal/buffer/fast');
const { encodingsMap, normalizeEncoding } = require('internal/util');
const { isAnyArrayBuffer } = require('internal/util/types');
const { validateString } = require('internal/validators');

const kHandle = Symbol('kHandle');

const bytesOrText = ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];
const viewOrText = ['string', 'Buffer', 'TypedArray', 'DataView'];

// Prepares a string for native code: unchanged for UTF-8 and unknown encodings, otherwise its bytes.
function textInput(text, encoding) {
  if (encoding === undefined || encoding === 'utf8') return text;
  const name = normalizeEncoding(encoding);
  if (name === undefined || name === 'utf8') return text;
  return require('buffer').Buffer.from(text, name);
}

// Converts a string, view or ArrayBuffer of the program for native code.
function getArrayBufferOrView(value, name, encoding) {
  if (typeof value === 'string') {
    // Unlike for data, an unknown encoding of a key is an error.
    if (typeof encoding === 'string' && encoding !== 'buffer' && normalizeEncoding(encoding) === undefined) {
      throw new ERR_UNKNOWN_ENCODING(encoding);
    }
    return textInput(value, encoding);
  }
  if (!ArrayBufferIsView(value) && !isAnyArrayBuffer(value)) {
    throw new ERR_INVALID_ARG_TYPE(name, bytesOrText, value);
  }
  return value;
}

// Returns the id of an encoding that native code can write; undefined for others.
function nativeEncoding(name) {
  switch (name) {
    case 'hex': case 'base64': case 'base64url': case 'latin1': return encodingsMap[name];
    default: return undefined;
  }
}

// Returns the requested encoding of a result; undefined for a Buffer.
function outputEncoding(encoding) {
  if (!encoding || encoding === 'buffer') return undefined;
  const text = `${encoding}`;
  return text === '' ? undefined : normalizeEncoding(text);
}

// Converts the result of native code, which got nativeEncoding(name), to the requested encoding.
function toOutput(result, name) {
  if (typeof result === 'string') return result;
  const buffer = new FastBuffer(result);
  return name === undefined ? buffer : buffer.toString(name);
}

function getStringOption(options, key) {
  const value = options == null ? undefined : options[key];
  if (value != null) validateString(value, `options.${key}`);
  return value;
}

module.exports = {
  getArrayBufferOrView,
  getStringOption,
  kHandle,
  nativeEncoding,
  outputEncoding,
  textInput,
  toOutput,
  viewOrText,
};
