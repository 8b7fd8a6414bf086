'use strict';

// Hash and Hmac.

const {
  ArrayBufferIsView,
  ArrayPrototypeSlice,
  Error,
  ObjectSetPrototypeOf,
  StringPrototypeCharCodeAt,
  StringPrototypeReplace,
  StringPrototypeToLowerCase,
  Symbol,
} = primordials;

const {
  ERR_CRYPTO_HASH_FINALIZED,
  ERR_CRYPTO_HASH_UPDATE_FAILED,
  ERR_CRYPTO_INVALID_DIGEST,
  ERR_INVALID_ARG_TYPE,
  ERR_INVALID_ARG_VALUE,
} = require('internal/errors').codes;
const { FastBuffer } = require('internal/buffer/fast');
const LazyTransform = require('internal/crypto/lazy_transform');
const { prepareSecretKey } = require('internal/crypto/keys');
const {
  getStringOption,
  kHandle,
  nativeEncoding,
  outputEncoding,
  textInput,
  toOutput,
  viewOrText,
} = require('internal/crypto/util');
const { normalizeEncoding } = require('internal/util');
const { getDeprecationWarningEmitter } = require('internal/util/deprecate');
const { validateEncoding, validateObject, validateString, validateUint32 } = require('internal/validators');

const binding = internalBinding('crypto_hash');

const kState = Symbol('kState');
// The states of a hash: open for data; ended as a stream; ended by digest().
const kOpen = 0;
const kFlushed = 1;
const kFinalized = 2;

// Converts the data of update() for native code.
function checkData(data, encoding) {
  if (typeof data === 'string') {
    if (encoding === undefined || encoding === 'utf8') return data;
    validateEncoding(data, encoding);
    return textInput(data, encoding);
  }
  if (!ArrayBufferIsView(data)) throw new ERR_INVALID_ARG_TYPE('data', viewOrText, data);
  return data;
}

function outputLengthOf(options) {
  const length = typeof options === 'object' && options !== null ? options.outputLength : undefined;
  if (length === undefined) return undefined;
  validateUint32(length, 'options.outputLength');
  return length + 0; // Turns -0 into 0, because native code would treat -0 as a fraction.
}

let emitLengthWarning;
function warnOfDefaultLength(algorithm) {
  // Checks only the first character, to be fast for all other algorithms.
  const first = StringPrototypeCharCodeAt(algorithm, 0) | 0x20;
  if (first !== 0x73 || !isShake(algorithm)) return;
  emitLengthWarning ??= getDeprecationWarningEmitter(
    'DEP0198', 'Creating SHAKE128/256 digests without an explicit options.outputLength is deprecated.');
  emitLengthWarning();
}

function isShake(algorithm) {
  const name = StringPrototypeReplace(StringPrototypeToLowerCase(algorithm), '-', '');
  return name === 'shake128' || name === 'shake256';
}

function Hash(algorithm, options) {
  if (!new.target) return new Hash(algorithm, options);
  const copied = algorithm?.[kHandle];
  if (copied === undefined) validateString(algorithm, 'algorithm');
  const length = outputLengthOf(options);
  LazyTransform.call(this, options);
  this[kHandle] = copied === undefined ? binding.createHash(algorithm, length) : binding.copyHash(copied, length);
  this[kState] = kOpen;
  if (copied === undefined && length === undefined) warnOfDefaultLength(algorithm);
}
ObjectSetPrototypeOf(Hash.prototype, LazyTransform.prototype);
ObjectSetPrototypeOf(Hash, LazyTransform);

Hash.prototype.copy = function copy(options) {
  if (this[kState] !== kOpen) throw new ERR_CRYPTO_HASH_FINALIZED();
  return new Hash(this, options);
};

Hash.prototype._transform = function _transform(chunk, encoding, callback) {
  const isDone = this[kState] === kOpen && binding.updateHash(this[kHandle], checkData(chunk, encoding));
  callback(isDone ? null : new ERR_CRYPTO_HASH_UPDATE_FAILED());
};

Hash.prototype._flush = function _flush(callback) {
  if (this[kState] === kOpen) {
    // digest() may still be called and returns the same result.
    this[kHandle] = new FastBuffer(binding.digestHash(this[kHandle], undefined));
    this[kState] = kFlushed;
    this.push(FastBuffer.from(this[kHandle]));
  }
  callback();
};

Hash.prototype.update = function update(data, encoding) {
  if (this[kState] === kFinalized) throw new ERR_CRYPTO_HASH_FINALIZED();
  data = checkData(data, encoding);
  if (this[kState] !== kOpen || !binding.updateHash(this[kHandle], data)) throw new ERR_CRYPTO_HASH_UPDATE_FAILED();
  return this;
};

Hash.prototype.digest = function digest(encoding) {
  const state = this[kState];
  if (state === kFinalized) throw new ERR_CRYPTO_HASH_FINALIZED();
  const name = outputEncoding(encoding);
  this[kState] = kFinalized;
  if (state === kFlushed) return name === undefined ? this[kHandle] : this[kHandle].toString(name);
  return toOutput(binding.digestHash(this[kHandle], nativeEncoding(name)), name);
};

function Hmac(hmac, key, options) {
  if (!new.target) return new Hmac(hmac, key, options);
  validateString(hmac, 'hmac');
  const bytes = prepareSecretKey(key, getStringOption(options, 'encoding'));
  const handle = binding.createHmac(hmac, bytes);
  if (handle === undefined) throw new ERR_CRYPTO_INVALID_DIGEST(hmac);
  LazyTransform.call(this, options);
  this[kHandle] = handle;
  this[kState] = kOpen;
}
ObjectSetPrototypeOf(Hmac.prototype, LazyTransform.prototype);
ObjectSetPrototypeOf(Hmac, LazyTransform);

Hmac.prototype.update = function update(data, encoding) {
  if (this[kState] === kFinalized) throw new ERR_CRYPTO_HASH_FINALIZED();
  data = checkData(data, encoding);
  if (this[kState] !== kOpen || !binding.updateHmac(this[kHandle], data)) throw new ERR_CRYPTO_HASH_UPDATE_FAILED();
  return this;
};

// As in Node, the second call returns an empty result.
Hmac.prototype.digest = function digest(encoding) {
  if (this[kState] !== kOpen) {
    this[kState] = kFinalized;
    return encoding && encoding !== 'buffer' ? '' : new FastBuffer(0);
  }
  const name = outputEncoding(encoding);
  this[kState] = kFinalized;
  return toOutput(binding.digestHmac(this[kHandle], nativeEncoding(name)), name);
};

Hmac.prototype._flush = function _flush(callback) {
  if (this[kState] === kOpen) {
    this[kState] = kFlushed;
    this.push(new FastBuffer(binding.digestHmac(this[kHandle], undefined)));
  }
  callback();
};

Hmac.prototype._transform = function _transform(chunk, encoding, callback) {
  const isDone = this[kState] === kOpen && binding.updateHmac(this[kHandle], checkData(chunk, encoding));
  callback(isDone ? null : new ERR_CRYPTO_HASH_UPDATE_FAILED());
};

function createHash(algorithm, options) {
  return new Hash(algorithm, options);
}

function createHmac(hmac, key, options) {
  return new Hmac(hmac, key, options);
}

// One native call without a Hash object. `options` may be the output encoding.
function hash(algorithm, input, options) {
  validateString(algorithm, 'algorithm');
  if (typeof input !== 'string' && !ArrayBufferIsView(input)) {
    throw new ERR_INVALID_ARG_TYPE('input', viewOrText, input);
  }
  let outputEncoding;
  let outputLength;
  if (typeof options === 'string') {
    outputEncoding = options;
  } else if (options !== undefined) {
    validateObject(options, 'options');
    outputLength = options.outputLength;
    outputEncoding = options.outputEncoding;
  }
  outputEncoding ??= 'hex';
  let name;
  if (outputEncoding !== 'hex') {
    validateString(outputEncoding, 'outputEncoding');
    name = normalizeEncoding(outputEncoding);
    if (name === undefined && StringPrototypeToLowerCase(outputEncoding) !== 'buffer') {
      throw new ERR_INVALID_ARG_VALUE('outputEncoding', outputEncoding);
    }
  } else {
    name = 'hex';
  }
  if (outputLength !== undefined) {
    validateUint32(outputLength, 'outputLength');
    outputLength += 0; // Turns -0 into 0, because native code would treat -0 as a fraction.
  } else {
    warnOfDefaultLength(algorithm);
  }
  const result = binding.hash(algorithm, input, nativeEncoding(name), outputLength);
  if (result === undefined) throw new Error(`Digest method ${algorithm} is not supported`);
  if (result === null) {
    throw new Error(`Output length ${outputLength} is invalid for ${algorithm}, which does not support XOF`);
  }
  return toOutput(result, name);
}

let hashes;
const getHashes = () => ArrayPrototypeSlice(hashes ??= binding.getHashes());

module.exports = { Hash, Hmac, createHash, createHmac, getHashes, hash };
