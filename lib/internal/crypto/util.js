'use strict';

// What the parts of `crypto` share: bytes that come in, bytes that go out.

const { ArrayBufferIsView, Symbol } = primordials;

const { ERR_INVALID_ARG_TYPE, ERR_UNKNOWN_ENCODING } = require('internal/errors').codes;
const { FastBuffer } = require('internal/buffer/fast');
const { encodingsMap, normalizeEncoding } = require('internal/util');
const { isAnyArrayBuffer } = require('internal/util/types');
const { validateString } = require('internal/validators');

const kHandle = Symbol('kHandle');

const bytesOrText = ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];
const viewOrText = ['string', 'Buffer', 'TypedArray', 'DataView'];

// A string as native code takes it: as it is where UTF-8 is meant, else its bytes. What is no encoding means UTF-8, too.
function textInput(text, encoding) {
  if (encoding === undefined || encoding === 'utf8') return text;
  const name = normalizeEncoding(encoding);
  if (name === undefined || name === 'utf8') return text;
  return require('buffer').Buffer.from(text, name);
}

// A string, view or ArrayBuffer that a user gave, for native code.
function getArrayBufferOrView(value, name, encoding) {
  if (typeof value === 'string') {
    // Unlike that of data, the encoding of a key must be one.
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

// The encodings that native code writes by itself.
function nativeEncoding(name) {
  switch (name) {
    case 'hex': case 'base64': case 'base64url': case 'latin1': return encodingsMap[name];
    default: return undefined;
  }
}

// The name of the encoding that a result is wanted in; undefined where it is a Buffer.
function outputEncoding(encoding) {
  if (!encoding || encoding === 'buffer') return undefined;
  const text = `${encoding}`;
  return text === '' ? undefined : normalizeEncoding(text);
}

// What native code gave for nativeEncoding(name), as the user wants it.
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
