'use strict';

// Converts the arguments of crypto.subtle's methods as Web IDL specifies, or throws.

const { ArrayBufferIsView, StringPrototypeToUpperCase, TypedArrayPrototypeSlice, Uint8Array } = primordials;

const { ERR_INVALID_ARG_TYPE, ERR_MISSING_OPTION } = require('internal/errors').codes;
const { lazyDOMException } = require('internal/util');
const { isArrayBuffer } = require('internal/util/types');

function exception(message, name) {
  return lazyDOMException(message, name);
}
const unrecognized = () => exception('Unrecognized algorithm name', 'NotSupportedError');

function operationError(cause) {
  const error = exception('The operation failed for an operation-specific reason', 'OperationError');
  if (cause !== undefined) error.cause = cause;
  return error;
}

function missingOption(params, option) {
  const error = new ERR_MISSING_OPTION('');
  error.message = `Failed to normalize algorithm: passed algorithm cannot be converted to '${params}' because ` +
    `'${option}' is required in '${params}'.`;
  return error;
}

const ordinals = ['', '1st', '2nd', '3rd', '4th', '5th', '6th', '7th'];
function wrongArgument(Class, method, position, complaint) {
  const error = new Class('', '');
  error.message = `Failed to execute '${method}' on 'SubtleCrypto': ${ordinals[position]} argument${complaint}`;
  return error;
}

// Copies the bytes, because the caller may modify them after the call.
function bytesOf(value, describe) {
  const isView = ArrayBufferIsView(value);
  if (!isView && !isArrayBuffer(value)) throw describe();
  if (value.byteLength === 0) return new Uint8Array(); // Detached memory counts as empty.
  return TypedArrayPrototypeSlice(
    isView ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value));
}

function dataOf(value, method, position) {
  return bytesOf(value, () => wrongArgument(ERR_INVALID_ARG_TYPE, method, position,
    ' is not instance of ArrayBuffer, Buffer, TypedArray, or DataView.'));
}

function paramOf(algorithm, option, params) {
  const value = algorithm[option];
  if (value === undefined) throw missingOption(params, option);
  return bytesOf(value, () => {
    const error = new ERR_INVALID_ARG_TYPE(option, 'BufferSource', value);
    error.message = `Failed to normalize algorithm: ${option} in passed algorithm is not instance of ` +
      'ArrayBuffer, Buffer, TypedArray, or DataView.';
    return error;
  });
}

// Names of algorithms that are not all in upper case.
const spelled = {
  '__proto__': null,
  'ARGON2D': 'Argon2d',
  'ARGON2I': 'Argon2i',
  'ARGON2ID': 'Argon2id',
  'CHACHA20-POLY1305': 'ChaCha20-Poly1305',
  'CSHAKE128': 'cSHAKE128',
  'CSHAKE256': 'cSHAKE256',
  'ED25519': 'Ed25519',
  'ED448': 'Ed448',
  'RSASSA-PKCS1-V1_5': 'RSASSA-PKCS1-v1_5',
  'TURBOSHAKE128': 'TurboSHAKE128',
  'TURBOSHAKE256': 'TurboSHAKE256',
};

function spell(name) {
  const upper = StringPrototypeToUpperCase(`${name}`);
  return spelled[upper] ?? upper;
}

// Returns { name, ... } with the name in the standard's spelling.
function normalize(algorithm) {
  if (algorithm === null || algorithm === undefined ||
      (typeof algorithm !== 'object' && typeof algorithm !== 'function')) {
    return { name: spell(algorithm) };
  }
  const { name } = algorithm;
  if (name === undefined) throw missingOption('Algorithm', 'name');
  return { __proto__: algorithm, name: spell(name) };
}

function toArrayBuffer(buffer) {
  return TypedArrayPrototypeSlice(new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)).buffer;
}

module.exports = {
  dataOf,
  exception,
  missingOption,
  normalize,
  operationError,
  paramOf,
  toArrayBuffer,
  unrecognized,
  wrongArgument,
};
