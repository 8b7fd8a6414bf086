'use strict';

// Cipheriv, Decipheriv and information about ciphers.

const {
  ArrayBufferIsView,
  ArrayPrototypeSlice,
  Boolean,
  ObjectSetPrototypeOf,
  StringPrototypeToLowerCase,
} = primordials;

const {
  codes: {
    ERR_CRYPTO_INVALID_AUTH_TAG,
    ERR_CRYPTO_INVALID_IV,
    ERR_CRYPTO_INVALID_KEYLEN,
    ERR_CRYPTO_INVALID_MESSAGELEN,
    ERR_CRYPTO_INVALID_STATE,
    ERR_CRYPTO_UNKNOWN_CIPHER,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_MISSING_ARGS,
    ERR_UNKNOWN_ENCODING,
  },
} = require('internal/errors');
const { FastBuffer } = require('internal/buffer/fast');
const { prepareSecretKey } = require('internal/crypto/keys');
const LazyTransform = require('internal/crypto/lazy_transform');
const {
  getArrayBufferOrView, getStringOption, kHandle, textInput, viewOrText,
} = require('internal/crypto/util');
const { kEmptyObject, normalizeEncoding } = require('internal/util');
const { validateEncoding, validateObject, validateString, validateUint32 } = require('internal/validators');
const { StringDecoder } = require('string_decoder');

const binding = internalBinding('crypto_cipher');

// Creates the error for a number that binding.create() returns instead of a cipher.
function refused(number, cipher, tagLength) {
  switch (number) {
    case binding.kUnknownCipher: return new ERR_CRYPTO_UNKNOWN_CIPHER();
    case binding.kKeyLength: return new ERR_CRYPTO_INVALID_KEYLEN();
    case binding.kIv: return new ERR_CRYPTO_INVALID_IV();
    case binding.kTagRequired: return new ERR_CRYPTO_INVALID_AUTH_TAG(`authTagLength required for ${cipher}`);
    default: return new ERR_CRYPTO_INVALID_AUTH_TAG(`Invalid authentication tag length: ${tagLength}`);
  }
}

function getUIntOption(options, key) {
  const value = options == null ? undefined : options[key];
  if (value == null) return undefined;
  if (value >>> 0 !== value) throw new ERR_INVALID_ARG_VALUE(`options.${key}`, value);
  return value + 0; // Turns -0 into 0.
}

function init(self, cipher, key, iv, options, encrypts) {
  validateString(cipher, 'cipher');
  const bytes = prepareSecretKey(key, getStringOption(options, 'encoding'));
  const vector = iv === null ? null : getArrayBufferOrView(iv, 'iv');
  const tagLength = getUIntOption(options, 'authTagLength');
  const handle = binding.create(cipher, encrypts, bytes, vector, tagLength);
  if (typeof handle === 'number') throw refused(handle, cipher, tagLength);
  self._decoder = null;
  LazyTransform.call(self, options);
  self[kHandle] = handle;
}

// Returns one decoder for all parts of a text, because a character may span two parts.
function getDecoder(decoder, encoding) {
  const name = normalizeEncoding(encoding);
  if (name === undefined) throw new ERR_UNKNOWN_ENCODING(encoding);
  decoder ||= new StringDecoder(name);
  if (normalizeEncoding(decoder.encoding) !== name) {
    throw new ERR_INVALID_ARG_VALUE('outputEncoding', encoding, `cannot be changed from '${decoder.encoding}'`);
  }
  return decoder;
}

function wantsText(encoding) {
  return encoding && encoding !== 'buffer';
}

function updateWith(handle, data) {
  const result = binding.update(handle, data);
  if (result === false) throw new ERR_CRYPTO_INVALID_MESSAGELEN();
  return new FastBuffer(result);
}

function finalOf(handle) {
  const result = binding.final(handle);
  if (result === undefined) {
    const error = new ERR_CRYPTO_INVALID_STATE('final');
    error.message = 'Invalid state';
    throw error;
  }
  return new FastBuffer(result);
}

function _transform(chunk, encoding, callback) {
  let result;
  try {
    result = updateWith(this[kHandle], typeof chunk === 'string' ? textInput(chunk, encoding) : chunk);
  } catch (error) {
    callback(error);
    return;
  }
  this.push(result);
  callback();
}

function _flush(callback) {
  let result;
  try {
    result = finalOf(this[kHandle]);
  } catch (error) {
    callback(error);
    return;
  }
  this.push(result);
  callback();
}

function update(data, inputEncoding, outputEncoding) {
  if (typeof data === 'string') {
    validateEncoding(data, inputEncoding);
    data = textInput(data, inputEncoding || undefined);
  } else if (!ArrayBufferIsView(data)) {
    throw new ERR_INVALID_ARG_TYPE('data', viewOrText, data);
  }
  const result = updateWith(this[kHandle], data);
  if (!wantsText(outputEncoding)) return result;
  this._decoder = getDecoder(this._decoder, outputEncoding);
  return this._decoder.write(result);
}

function final(outputEncoding) {
  const result = finalOf(this[kHandle]);
  if (!wantsText(outputEncoding)) return result;
  this._decoder = getDecoder(this._decoder, outputEncoding);
  return this._decoder.end(result);
}

function setAutoPadding(pads) {
  if (!binding.setAutoPadding(this[kHandle], pads === undefined ? true : Boolean(pads))) {
    throw new ERR_CRYPTO_INVALID_STATE('setAutoPadding');
  }
  return this;
}

function getAuthTag() {
  const tag = binding.getAuthTag(this[kHandle]);
  if (tag === undefined) throw new ERR_CRYPTO_INVALID_STATE('getAuthTag');
  return new FastBuffer(tag);
}

function setAuthTag(tagbuf, encoding) {
  const tag = getArrayBufferOrView(tagbuf, 'buffer', encoding);
  const result = binding.setAuthTag(this[kHandle], tag);
  if (result === false) throw new ERR_CRYPTO_INVALID_STATE('setAuthTag');
  if (result !== true) throw new ERR_CRYPTO_INVALID_AUTH_TAG(`Invalid authentication tag length: ${result}`);
  return this;
}

function setAAD(aadbuf, options) {
  const encoding = getStringOption(options, 'encoding');
  const plaintextLength = getUIntOption(options, 'plaintextLength');
  const data = getArrayBufferOrView(aadbuf, 'aadbuf', encoding);
  const result = binding.setAAD(this[kHandle], data, plaintextLength);
  if (result === false) throw new ERR_CRYPTO_INVALID_STATE('setAAD');
  if (result === undefined) throw new ERR_CRYPTO_INVALID_MESSAGELEN();
  if (result === null) {
    const error = new ERR_MISSING_ARGS('options.plaintextLength');
    error.message = 'options.plaintextLength required for CCM mode with AAD';
    throw error;
  }
  return this;
}

function Cipheriv(cipher, key, iv, options) {
  if (!(this instanceof Cipheriv)) return new Cipheriv(cipher, key, iv, options);
  init(this, cipher, key, iv, options, true);
}
defineMethods(Cipheriv, true);

function Decipheriv(cipher, key, iv, options) {
  if (!(this instanceof Decipheriv)) return new Decipheriv(cipher, key, iv, options);
  init(this, cipher, key, iv, options, false);
}
defineMethods(Decipheriv, false);

function defineMethods(Class, encrypts) {
  ObjectSetPrototypeOf(Class.prototype, LazyTransform.prototype);
  ObjectSetPrototypeOf(Class, LazyTransform);
  Class.prototype._transform = _transform;
  Class.prototype._flush = _flush;
  Class.prototype.update = update;
  Class.prototype.final = final;
  Class.prototype.setAutoPadding = setAutoPadding;
  if (encrypts) {
    Class.prototype.getAuthTag = getAuthTag;
  } else {
    Class.prototype.setAuthTag = setAuthTag;
  }
  Class.prototype.setAAD = setAAD;
}

function createCipheriv(cipher, key, iv, options) {
  return new Cipheriv(cipher, key, iv, options);
}

function createDecipheriv(cipher, key, iv, options) {
  return new Decipheriv(cipher, key, iv, options);
}

let ciphers;
const getCiphers = () => ArrayPrototypeSlice(ciphers ??= binding.getCiphers());

let curves;
const getCurves = () => ArrayPrototypeSlice(curves ??= binding.getCurves());

function getCipherInfo(nameOrNid, options = kEmptyObject) {
  validateObject(options, 'options');
  const { keyLength, ivLength } = options;
  if (keyLength !== undefined) validateUint32(keyLength, 'options.keyLength');
  if (ivLength !== undefined) validateUint32(ivLength, 'options.ivLength');
  if (typeof nameOrNid !== 'number' && typeof nameOrNid !== 'string') {
    throw new ERR_INVALID_ARG_TYPE('nameOrNid', ['string', 'number'], nameOrNid);
  }
  // `+ 0` turns -0 into 0, because native code would treat -0 as a fraction.
  const info = binding.getCipherInfo(
    nameOrNid, keyLength === undefined ? undefined : keyLength + 0, ivLength === undefined ? undefined : ivLength + 0);
  if (info === undefined) return undefined;
  return {
    __proto__: null,
    mode: info.mode,
    name: StringPrototypeToLowerCase(info.name),
    nid: info.nid,
    keyLength: info.keyLength,
    blockSize: info.blockSize,
    ivLength: info.ivLength,
  };
}

module.exports = {
  Cipheriv,
  Decipheriv,
  createCipheriv,
  createDecipheriv,
  getCipherInfo,
  getCiphers,
  getCurves,
};
