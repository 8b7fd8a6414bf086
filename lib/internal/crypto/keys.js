'use strict';

// KeyObject. Secret keys are plain bytes; public and private keys have a native handle.

const {
  ArrayBufferIsView,
  BigInt,
  Error,
  MathFloor,
  ObjectDefineProperties,
  SymbolToStringTag,
  Uint8Array,
} = primordials;

const {
  codedError,
  codes: {
    ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_INVALID_THIS,
  },
} = require('internal/errors');
const { bindCallback } = require('internal/async_hooks');
const { FastBuffer } = require('internal/buffer/fast');
const { HostObject, kClone } = require('internal/structured_clone');
const { getDeprecationWarningEmitter } = require('internal/util/deprecate');
const { isAnyArrayBuffer } = require('internal/util/types');
const keyTypes = require('internal/util/key_types');
const {
  validateFunction, validateInteger, validateObject, validateOneOf, validateString,
} = require('internal/validators');
const { getArrayBufferOrView } = require('internal/crypto/util');
const { CryptoKey, isCryptoKey, isExtractable, keyObjectOf } = require('internal/crypto/web_key');

const binding = internalBinding('crypto_keys');
const random = internalBinding('crypto_random');

const types = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView', 'string', 'KeyObject', 'CryptoKey'];
const byteTypes = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];

// Returns a copy that the program cannot modify.
function copyBytes(value) {
  if (typeof value === 'string') return require('buffer').Buffer.from(value);
  const view = ArrayBufferIsView(value) ?
    new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);
  return new Uint8Array(view);
}

let makesKeys = false;

let emitCryptoKey;
function warnOfCryptoKey() {
  emitCryptoKey ??= getDeprecationWarningEmitter('DEP0203',
    'Passing a CryptoKey to node:crypto functions is deprecated.');
  emitCryptoKey();
}

let emitUnextractable;
function warnOfUnextractable(key) {
  if (isExtractable(key)) return;
  emitUnextractable ??= getDeprecationWarningEmitter(
    'DEP0204', 'Passing a non-extractable CryptoKey to KeyObject.from() is deprecated.');
  emitUnextractable();
}

// The parts of a key: the bytes of a secret key, or the native handle of another one. Programs cannot reach them.
let partsOf;
let typeOf;
let isKeyObject;
let detailsOf;

class KeyObject extends HostObject {
  #type;
  #parts;

  constructor(type, parts) {
    super();
    if (type !== 'secret' && type !== 'public' && type !== 'private') {
      throw new ERR_INVALID_ARG_VALUE('type', type);
    }
    if (typeof parts !== 'object' || parts === null || !makesKeys) {
      throw new ERR_INVALID_ARG_TYPE('handle', 'object', parts);
    }
    this.#type = type;
    this.#parts = parts;
  }

  static {
    isKeyObject = (value) => typeof value === 'object' && value !== null && #parts in value;
    partsOf = (key) => key.#parts;
    typeOf = (key) => key.#type;
  }

  get type() {
    if (!isKeyObject(this)) throw new ERR_INVALID_THIS('KeyObject');
    return this.#type;
  }

  toCryptoKey(algorithm, extractable, keyUsages) {
    if (!isKeyObject(this)) throw new ERR_INVALID_THIS('KeyObject');
    return require('internal/crypto/subtle').fromKeyObject(this, algorithm, extractable, keyUsages);
  }

  static from(key) {
    if (!isCryptoKey(key)) throw new ERR_INVALID_ARG_TYPE('key', 'CryptoKey', key);
    warnOfUnextractable(key);
    return keyObjectOf(key);
  }

  equals(otherKeyObject) {
    if (!isKeyObject(otherKeyObject)) throw new ERR_INVALID_ARG_TYPE('otherKeyObject', 'KeyObject', otherKeyObject);
    if (!isKeyObject(this)) throw new ERR_INVALID_THIS('KeyObject');
    return equalKeys(this, otherKeyObject);
  }

  [kClone]() {
    const type = this.#type;
    const parts = this.#parts;
    if (type === 'secret') return { id: 'internal/crypto/keys', data: { type, bytes: copyBytes(parts) } };
    const structure = type === 'private' ? binding.kPkcs8 : binding.kSpki;
    const bytes = binding.write(parts, type === 'private', binding.kFormatDer, structure);
    return { id: 'internal/crypto/keys', data: { type, bytes } };
  }
}
ObjectDefineProperties(KeyObject.prototype, {
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'KeyObject' },
});

function equalKeys(left, right) {
  const type = typeOf(left);
  if (type !== typeOf(right)) return false;
  const mine = partsOf(left);
  const other = partsOf(right);
  if (type === 'secret') return mine.length === other.length && random.equal(mine, other);
  const answer = binding.equals(mine, other);
  if (answer === undefined) throw codedError(Error, 'ERR_CRYPTO_UNSUPPORTED_OPERATION', 'Unsupported crypto operation');
  return answer;
}

function makeKey(Class, parts) {
  makesKeys = true;
  try {
    return new Class(parts);
  } finally {
    makesKeys = false;
  }
}

class SecretKeyObject extends KeyObject {
  constructor(bytes) {
    super('secret', bytes);
  }

  get symmetricKeySize() {
    if (!isKeyObject(this)) throw new ERR_INVALID_THIS('KeyObject');
    if (typeOf(this) !== 'secret') throw new ERR_INVALID_THIS('SecretKeyObject');
    return partsOf(this).length;
  }

  export(options) {
    const bytes = bytesOf(this);
    if (options !== undefined) {
      validateObject(options, 'options');
      validateOneOf(options.format, 'options.format', [undefined, 'buffer', 'jwk']);
      if (options.format === 'jwk') {
        return { kty: 'oct', k: new FastBuffer(copyBytes(bytes).buffer).toString('base64url') };
      }
    }
    return new FastBuffer(copyBytes(bytes).buffer);
  }
}

function checkAsymmetric(key) {
  if (!isKeyObject(key)) throw new ERR_INVALID_THIS('KeyObject');
  if (typeOf(key) === 'secret') throw new ERR_INVALID_THIS('AsymmetricKeyObject');
}

class AsymmetricKeyObject extends KeyObject {
  #algorithm;
  #details;

  get asymmetricKeyType() {
    checkAsymmetric(this);
    return (this.#algorithm ??= binding.algorithm(partsOf(this)));
  }

  get asymmetricKeyDetails() {
    checkAsymmetric(this);
    return { ...detailsOf(this) };
  }

  static {
    detailsOf = (key) => {
      if (key.#details === undefined) {
        const details = binding.details(partsOf(key));
        const { publicExponent } = details;
        if (publicExponent !== undefined) {
          details.publicExponent = BigInt(`0x${new FastBuffer(publicExponent).hexSlice()}`);
        }
        key.#details = details;
      }
      return key.#details;
    };
  }
}

class PublicKeyObject extends AsymmetricKeyObject {
  constructor(handle) {
    super('public', handle);
  }

  export(options) {
    checkAsymmetric(this);
    return require('internal/crypto/key_encoding').exportPublic(partsOf(this), options);
  }
}

class PrivateKeyObject extends AsymmetricKeyObject {
  constructor(handle) {
    super('private', handle);
  }

  export(options) {
    checkAsymmetric(this);
    return require('internal/crypto/key_encoding').exportPrivate(partsOf(this), options);
  }
}

// Returns the bytes of a secret key.
function bytesOf(key) {
  const type = typeOf(key);
  if (type !== 'secret') throw new ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(type, 'secret');
  return partsOf(key);
}

function makeAsymmetric(handle) {
  return makeKey(binding.isPrivate(handle) ? PrivateKeyObject : PublicKeyObject, handle);
}

// Registers the checks for util.types.
keyTypes.isKeyObject = isKeyObject;
keyTypes.isCryptoKey = isCryptoKey;

// Returns the bytes of a key for native code. Accepts bytes or a KeyObject.
function prepareSecretKey(key, encoding) {
  if (isCryptoKey(key)) {
    warnOfCryptoKey();
    key = keyObjectOf(key);
  }
  if (isKeyObject(key)) return bytesOf(key);
  if (typeof key !== 'string' && !ArrayBufferIsView(key) && !isAnyArrayBuffer(key)) {
    throw new ERR_INVALID_ARG_TYPE('key', types, key);
  }
  return getArrayBufferOrView(key, 'key', encoding);
}

function createSecretKey(key, encoding) {
  if (typeof key !== 'string' && !ArrayBufferIsView(key) && !isAnyArrayBuffer(key)) {
    throw new ERR_INVALID_ARG_TYPE('key', byteTypes, key);
  }
  return makeKey(SecretKeyObject, copyBytes(getArrayBufferOrView(key, 'key', encoding)));
}

// Validates the options and returns the size in bytes of the key to generate.
function checkGenerate(type, options) {
  validateString(type, 'type');
  validateObject(options, 'options');
  const { length } = options;
  switch (type) {
    case 'hmac':
      validateInteger(length, 'options.length', 8, 2 ** 31 - 1);
      break;
    case 'aes':
      validateOneOf(length, 'options.length', [128, 192, 256]);
      break;
    default:
      throw new ERR_INVALID_ARG_VALUE('type', type, 'must be a supported key type');
  }
  return MathFloor(length / 8);
}

function generateKeySync(type, options) {
  const bytes = new Uint8Array(checkGenerate(type, options));
  random.fill(bytes, 0, bytes.length);
  return makeKey(SecretKeyObject, bytes);
}

function generateKey(type, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  validateFunction(callback, 'callback');
  const bytes = new Uint8Array(checkGenerate(type, options));
  const bound = bindCallback('SECRETKEYGENREQUEST', callback);
  random.fill(bytes, 0, bytes.length, (isDone, error) => {
    if (isDone) {
      bound(null, makeKey(SecretKeyObject, bytes));
    } else {
      bound(error);
    }
  });
}

function readClone({ type, bytes }) {
  if (type === 'secret') return makeKey(SecretKeyObject, bytes);
  const isPrivate = type === 'private';
  const structure = isPrivate ? binding.kPkcs8 : binding.kSpki;
  return makeAsymmetric(binding.parse(bytes, binding.kFormatDer, structure, undefined, isPrivate));
}

module.exports = {
  CryptoKey,
  KeyObject,
  createSecretKey,
  detailsOf,
  equalKeys,
  generateKey,
  generateKeySync,
  isCryptoKey,
  isKeyObject,
  makeAsymmetric,
  partsOf,
  prepareSecretKey,
  readClone,
  typeOf,
  warnOfCryptoKey,
};
