'use strict';

// Key derivation: pbkdf2, scrypt and hkdf.

const { ArrayBufferIsView, FunctionPrototypeCall, MathMin, StringPrototypeToUpperCase } = primordials;

const {
  ERR_CRYPTO_INVALID_DIGEST,
  ERR_CRYPTO_INVALID_KEYLEN,
  ERR_CRYPTO_INVALID_SCRYPT_PARAMS,
  ERR_INCOMPATIBLE_OPTION_PAIR,
  ERR_INVALID_ARG_TYPE,
  ERR_OUT_OF_RANGE,
} = require('internal/errors').codes;
const { bindCallback } = require('internal/async_hooks');
const { FastBuffer } = require('internal/buffer/fast');
const { isKeyObject, prepareSecretKey } = require('internal/crypto/keys');
const { getArrayBufferOrView } = require('internal/crypto/util');
const { isAnyArrayBuffer } = require('internal/util/types');
const {
  validateFunction, validateInt32, validateInteger, validateObject, validateOneOf, validateString, validateUint32,
} = require('internal/validators');

const binding = internalBinding('crypto_derive');
const { kMaxLength } = internalBinding('buffer');
const kMaxUint32 = 2 ** 32 - 1;

// Returns the callback for native code, which calls callback(null, buffer) or callback(error).
function whenDone(type, callback, toResult) {
  const bound = bindCallback(type, callback);
  return (isDone, result) => {
    if (isDone) {
      FunctionPrototypeCall(bound, undefined, null, toResult(result));
    } else {
      FunctionPrototypeCall(bound, undefined, result);
    }
  };
}

const toBuffer = (bytes) => new FastBuffer(bytes);
const asItIs = (bytes) => bytes;

function checkPbkdf2(password, salt, iterations, keylen, digest) {
  validateString(digest, 'digest');
  password = getArrayBufferOrView(password, 'password');
  salt = getArrayBufferOrView(salt, 'salt');
  validateInt32(iterations, 'iterations', 1);
  validateInt32(keylen, 'keylen', 0);
  return { password, salt };
}

function pbkdf2(password, salt, iterations, keylen, digest, callback) {
  if (typeof digest === 'function') {
    callback = digest;
    digest = undefined;
  }
  const checked = checkPbkdf2(password, salt, iterations, keylen, digest);
  validateFunction(callback, 'callback');
  const started = binding.pbkdf2(checked.password, checked.salt, iterations, keylen, digest,
    whenDone('PBKDF2REQUEST', callback, toBuffer));
  if (started === false) throw new ERR_CRYPTO_INVALID_DIGEST(digest);
}

function pbkdf2Sync(password, salt, iterations, keylen, digest) {
  const checked = checkPbkdf2(password, salt, iterations, keylen, digest);
  const result = binding.pbkdf2(checked.password, checked.salt, iterations, keylen, digest);
  if (result === false) throw new ERR_CRYPTO_INVALID_DIGEST(digest);
  return new FastBuffer(result);
}

// Reads an option that has two names, of which only one may be used.
function eitherOption(options, short, long, fallback) {
  const value = options[short];
  if (value !== undefined) validateUint32(value, short);
  const other = options[long];
  if (other === undefined) return value === undefined ? fallback : value;
  if (value !== undefined) throw new ERR_INCOMPATIBLE_OPTION_PAIR(short, long);
  validateUint32(other, long);
  return other;
}

function checkScrypt(password, salt, keylen, options) {
  const checked = { password: undefined, salt: undefined, N: 16384, r: 8, p: 1, maxmem: 32 * 1024 * 1024 };
  checked.password = getArrayBufferOrView(password, 'password');
  checked.salt = getArrayBufferOrView(salt, 'salt');
  validateInt32(keylen, 'keylen', 0);
  if (options !== undefined && options !== null) {
    // 0 means the default.
    checked.N = eitherOption(options, 'N', 'cost', 16384) || 16384;
    checked.r = eitherOption(options, 'r', 'blockSize', 8) || 8;
    checked.p = eitherOption(options, 'p', 'parallelization', 1) || 1;
    const { maxmem } = options;
    if (maxmem !== undefined) {
      validateInteger(maxmem, 'maxmem', 0);
      checked.maxmem = maxmem || checked.maxmem;
    }
  }
  return checked;
}

function startScrypt(checked, keylen, callback) {
  const result = binding.scrypt(
    checked.password, checked.salt, keylen, checked.N, checked.r, checked.p, checked.maxmem, callback);
  if (typeof result === 'string') {
    throw new ERR_CRYPTO_INVALID_SCRYPT_PARAMS(
      result === '' ? 'Invalid scrypt params' : `Invalid scrypt params: ${result}`);
  }
  return result;
}

function scrypt(password, salt, keylen, options, callback = options) {
  if (callback === options) options = undefined;
  const checked = checkScrypt(password, salt, keylen, options);
  validateFunction(callback, 'callback');
  startScrypt(checked, keylen, whenDone('SCRYPTREQUEST', callback, toBuffer));
}

function scryptSync(password, salt, keylen, options = undefined) {
  return new FastBuffer(startScrypt(checkScrypt(password, salt, keylen, options), keylen));
}

const sourceTypes = ['string', 'ArrayBuffer', 'TypedArray', 'DataView', 'Buffer'];
const keyTypes = ['string', 'SecretKeyObject', 'ArrayBuffer', 'TypedArray', 'DataView', 'Buffer'];

function checkBytes(value, name, types) {
  if (typeof value === 'string' || ArrayBufferIsView(value) || isAnyArrayBuffer(value)) return value;
  throw new ERR_INVALID_ARG_TYPE(name, types, value);
}

function checkHkdf(digest, ikm, salt, info, keylen) {
  validateString(digest, 'digest');
  const checked = { key: undefined, salt: undefined, info: undefined, keylen: 0 };
  checked.key = isKeyObject(ikm) ? prepareSecretKey(ikm) : checkBytes(ikm, 'ikm', keyTypes);
  checked.salt = checkBytes(salt, 'salt', sourceTypes);
  checked.info = checkBytes(info, 'info', sourceTypes);
  validateInteger(keylen, 'length', 0, kMaxLength);
  checked.keylen = MathMin(keylen, 2 ** 32 - 1);
  const size = typeof info === 'string' ? require('buffer').Buffer.byteLength(info) : info.byteLength;
  if (size > 1024) throw new ERR_OUT_OF_RANGE('info', 'must not contain more than 1024 bytes', size);
  return checked;
}

function startHkdf(digest, checked, callback) {
  const result = binding.hkdf(digest, checked.key, checked.salt, checked.info, checked.keylen, callback);
  if (result === false) throw new ERR_CRYPTO_INVALID_DIGEST(digest);
  if (result === null) throw new ERR_CRYPTO_INVALID_KEYLEN();
  return result;
}

function hkdf(digest, ikm, salt, info, keylen, callback) {
  const checked = checkHkdf(digest, ikm, salt, info, keylen);
  validateFunction(callback, 'callback');
  startHkdf(digest, checked, whenDone('HKDFREQUEST', callback, asItIs));
}

function hkdfSync(digest, ikm, salt, info, keylen) {
  return startHkdf(digest, checkHkdf(digest, ikm, salt, info, keylen));
}

function byteLengthOf(value) {
  return typeof value === 'string' ? require('buffer').Buffer.byteLength(value) : value.byteLength;
}

function argon2Bytes(value, name, least) {
  const bytes = getArrayBufferOrView(value, name);
  validateInteger(byteLengthOf(bytes), `${name}.byteLength`, least, kMaxUint32);
  return bytes;
}

function checkArgon2(algorithm, parameters) {
  validateString(algorithm, 'algorithm');
  validateOneOf(algorithm, 'algorithm', ['argon2d', 'argon2i', 'argon2id']);
  validateObject(parameters, 'parameters');
  const { parallelism, tagLength, memory, passes } = parameters;
  const message = argon2Bytes(parameters.message, 'parameters.message', 0);
  const nonce = argon2Bytes(parameters.nonce, 'parameters.nonce', 8);
  validateInteger(parallelism, 'parameters.parallelism', 1, 2 ** 24 - 1);
  validateInteger(tagLength, 'parameters.tagLength', 4, kMaxUint32);
  validateInteger(memory, 'parameters.memory', 8 * parallelism, kMaxUint32);
  validateUint32(passes, 'parameters.passes', true);
  const optional = (name) =>
    (parameters[name] === undefined ? '' : argon2Bytes(parameters[name], `parameters.${name}`, 0));
  const secret = optional('secret');
  const associatedData = optional('associatedData');
  return { message, nonce, secret, associatedData, parallelism, tagLength, memory, passes };
}

function startArgon2(algorithm, checked, callback) {
  return binding.argon2(
    StringPrototypeToUpperCase(algorithm), checked.message, checked.nonce, checked.secret, checked.associatedData,
    checked.tagLength, checked.parallelism, checked.memory, checked.passes, callback);
}

function argon2(algorithm, parameters, callback) {
  const checked = checkArgon2(algorithm, parameters);
  validateFunction(callback, 'callback');
  startArgon2(algorithm, checked, whenDone('ARGON2REQUEST', callback, toBuffer));
}

function argon2Sync(algorithm, parameters) {
  return new FastBuffer(startArgon2(algorithm, checkArgon2(algorithm, parameters)));
}

module.exports = { argon2, argon2Sync, hkdf, hkdfSync, pbkdf2, pbkdf2Sync, scrypt, scryptSync };
