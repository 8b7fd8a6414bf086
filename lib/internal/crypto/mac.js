'use strict';

// createMac(): message authentication codes of all kinds.

const {
  ArrayBufferIsView,
  ArrayPrototypeSlice,
  FunctionPrototypeCall,
  MathFloor,
  ObjectSetPrototypeOf,
  StringPrototypeIncludes,
  StringPrototypeToLowerCase,
  StringPrototypeToUpperCase,
  Symbol,
  TypedArrayPrototypeSet,
  TypedArrayPrototypeSubarray,
} = primordials;

const {
  codedTypeError,
  codes: {
    ERR_CRYPTO_MAC_FINALIZED,
    ERR_CRYPTO_MAC_UPDATE_FAILED,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
  },
} = require('internal/errors');
const { FastBuffer } = require('internal/buffer/fast');
const { isKeyObject, partsOf, typeOf } = require('internal/crypto/keys');
const LazyTransform = require('internal/crypto/lazy_transform');
const { kHandle, textInput, viewOrText } = require('internal/crypto/util');
const { normalizeEncoding } = require('internal/util');
const { isAnyArrayBuffer } = require('internal/util/types');
const { validateEncoding, validateObject, validateString, validateUint32 } = require('internal/validators');

const binding = internalBinding('crypto_mac');

const kIsFinal = Symbol('kIsFinal');
const byteTypes = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];
const keyTypes = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView', 'KeyObject'];

function checkName(value, name) {
  validateString(value, name);
  if (value.length === 0 || StringPrototypeIncludes(value, '\0')) {
    throw new ERR_INVALID_ARG_VALUE(name, value, 'must be non-empty and contain no NUL bytes');
  }
  return value;
}

const isBytes = (value) => ArrayBufferIsView(value) || isAnyArrayBuffer(value);

function checkBytes(value, name) {
  if (!isBytes(value)) throw new ERR_INVALID_ARG_TYPE(name, byteTypes, value);
  return value;
}

function optional(options, name, check) {
  const value = options[name];
  return value === undefined ? undefined : check(value, `options.${name}`);
}

function checkLength(value, name) {
  validateUint32(value, name);
  return value + 0; // Turns -0 into 0.
}

function keyOf(key) {
  if (isKeyObject(key) && typeOf(key) === 'secret') return partsOf(key);
  if (isKeyObject(key) || !isBytes(key)) throw new ERR_INVALID_ARG_TYPE('key', keyTypes, key);
  return key;
}

const wrongOption = (name, complaint) =>
  codedTypeError('ERR_INVALID_ARG_VALUE', `The property 'options.${name}' ${complaint}`);

// Options without which OpenSSL's own errors would say little.
function checkRequired(algorithm, { digest, cipher, iv }) {
  const name = StringPrototypeToUpperCase(algorithm);
  if (name === 'HMAC' && digest === undefined) throw wrongOption('digest', 'is required for HMAC');
  if ((name === 'CMAC' || name === 'GMAC') && cipher === undefined) {
    throw wrongOption('cipher', `is required for ${name}`);
  }
  if (name === 'GMAC' && !(iv?.byteLength > 0)) throw wrongOption('iv', 'must be non-empty for GMAC');
}

function createHandle(algorithm, key, options) {
  checkName(algorithm, 'algorithm');
  const given = { __proto__: null };
  if (options !== undefined) {
    validateObject(options, 'options');
    given.digest = optional(options, 'digest', checkName);
    given.cipher = optional(options, 'cipher', checkName);
    given.iv = optional(options, 'iv', checkBytes);
    given.customization = optional(options, 'customization', checkBytes);
    given.salt = optional(options, 'salt', checkBytes);
    given.outputLength = optional(options, 'outputLength', checkLength);
  }
  const bytes = keyOf(key);
  checkRequired(algorithm, given);
  const handle = binding.create(algorithm, bytes, given.digest, given.cipher, given.iv, given.customization,
    given.salt, given.outputLength);
  if (handle === undefined) throw codedTypeError('ERR_CRYPTO_INVALID_MAC', `Invalid MAC: ${algorithm}`);
  if (typeof handle === 'string') throw wrongOption(handle, `is not supported by MAC ${algorithm}`);
  return handle;
}

function Mac(algorithm, key, options) {
  if (!new.target) return new Mac(algorithm, key, options);
  this[kHandle] = createHandle(algorithm, key, options);
  this[kIsFinal] = false;
  FunctionPrototypeCall(LazyTransform, this, options);
}
ObjectSetPrototypeOf(Mac.prototype, LazyTransform.prototype);
ObjectSetPrototypeOf(Mac, LazyTransform);

function updateWith(mac, data) {
  if (mac[kIsFinal]) throw new ERR_CRYPTO_MAC_FINALIZED();
  if (binding.update(mac[kHandle], data)) return;
  mac[kIsFinal] = true;
  throw new ERR_CRYPTO_MAC_UPDATE_FAILED();
}

function finalOf(mac) {
  if (mac[kIsFinal]) throw new ERR_CRYPTO_MAC_FINALIZED();
  mac[kIsFinal] = true;
  return new FastBuffer(binding.final(mac[kHandle]));
}

Mac.prototype._transform = function _transform(chunk, encoding, callback) {
  try {
    updateWith(this, typeof chunk === 'string' ? textInput(chunk, encoding) : chunk);
  } catch (error) {
    callback(error);
    return;
  }
  callback();
};

Mac.prototype._flush = function _flush(callback) {
  try {
    const result = finalOf(this);
    if (result.length > 0) this.push(result);
  } catch (error) {
    callback(error);
    return;
  }
  callback();
};

Mac.prototype.update = function update(data, encoding) {
  if (this[kIsFinal]) throw new ERR_CRYPTO_MAC_FINALIZED();
  if (typeof data === 'string') {
    if (encoding !== undefined) {
      validateString(encoding, 'inputEncoding');
      const name = normalizeEncoding(encoding);
      if (name === undefined) throw new ERR_INVALID_ARG_VALUE('inputEncoding', encoding);
      validateEncoding(data, name);
      data = textInput(data, name);
    }
  } else if (!ArrayBufferIsView(data)) {
    throw new ERR_INVALID_ARG_TYPE('data', viewOrText, data);
  }
  updateWith(this, data);
  return this;
};

Mac.prototype.final = function final(outputEncoding) {
  if (this[kIsFinal]) throw new ERR_CRYPTO_MAC_FINALIZED();
  let name;
  if (outputEncoding !== undefined) {
    validateString(outputEncoding, 'outputEncoding');
    if (StringPrototypeToLowerCase(outputEncoding) !== 'buffer') {
      name = normalizeEncoding(outputEncoding);
      if (name === undefined) throw new ERR_INVALID_ARG_VALUE('outputEncoding', outputEncoding);
    }
  }
  const result = finalOf(this);
  return name === undefined ? result : result.toString(name);
};

function createMac(algorithm, key, options) {
  return new Mac(algorithm, key, options);
}

const kShortestKey = 4; // OpenSSL refuses shorter ones.
const kMostLengthBytes = 6; // Of the length at the end of the input.

// KMAC of NIST SP 800-185, by its definition: the cSHAKE of the key in a block of its own, the data, and the length.
function kmacOfShortKey(name, key, data, customization, outputLength) {
  const isLong = name === 'KMAC256';
  const rate = isLong ? 136 : 168;
  const input = new FastBuffer(rate + data.byteLength + kMostLengthBytes);
  input[0] = 1;
  input[1] = rate;
  input[2] = 1;
  input[3] = key.length * 8;
  TypedArrayPrototypeSet(input, key, 4);
  TypedArrayPrototypeSet(input, data, rate);
  let end = rate + data.byteLength;
  let count = 0;
  for (let bits = outputLength * 8, unit = 2 ** 32; unit >= 1; unit /= 256) {
    const digit = MathFloor(bits / unit) % 256;
    if (digit === 0 && count === 0 && unit > 1) continue;
    input[end++] = digit;
    count++;
  }
  input[end++] = count;
  return new FastBuffer(internalBinding('crypto_derive').keccak(
    'cSHAKE', isLong ? 256 : 128, TypedArrayPrototypeSubarray(input, 0, end), outputLength, 0, 'KMAC', customization ?? ''));
}

// The code of `data` at once, for Web Crypto's KMAC128 and KMAC256.
function kmac(name, key, data, customization, outputLength) {
  if (key.length < kShortestKey) return kmacOfShortKey(name, key, data, customization, outputLength);
  const handle = binding.create(name, key, undefined, undefined, undefined, customization, undefined, outputLength);
  binding.update(handle, data);
  return new FastBuffer(binding.final(handle));
}

let macs;
const { getMacs } = { __proto__: null, getMacs: (() => () => ArrayPrototypeSlice(macs ??= binding.getMacs()))() };

module.exports = { createMac, getMacs, kmac };
