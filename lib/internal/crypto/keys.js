'use strict';

// KeyObject: keys of type 'secret', which are plain bytes.

const {
  ArrayBufferIsView,
  MathFloor,
  ObjectDefineProperties,
  SymbolToStringTag,
  Uint8Array,
} = primordials;

const {
  ERR_INVALID_ARG_TYPE,
  ERR_INVALID_ARG_VALUE,
  ERR_INVALID_THIS,
} = require('internal/errors').codes;
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
const { CryptoKey, isCryptoKey, keyObjectOf } = require('internal/crypto/web_key');

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
  if (key.extractable) return;
  emitUnextractable ??= getDeprecationWarningEmitter(
    'DEP0204', 'Passing a non-extractable CryptoKey to KeyObject.from() is deprecated.');
  emitUnextractable();
}

class KeyObject extends HostObject {
  #type;

  constructor(type, handle) {
    super();
    if (type !== 'secret' && type !== 'public' && type !== 'private') {
      throw new ERR_INVALID_ARG_VALUE('type', type);
    }
    if (typeof handle !== 'object' || handle === null || !makesKeys) {
      throw new ERR_INVALID_ARG_TYPE('handle', 'object', handle);
    }
    this.#type = type;
  }

  get type() {
    if (typeof this !== 'object' || this === null || !(#type in this)) throw new ERR_INVALID_THIS('KeyObject');
    return this.#type;
  }

  toCryptoKey(algorithm, extractable, keyUsages) {
    if (!isKeyObject(this)) throw new ERR_INVALID_THIS('KeyObject');
    return require('internal/crypto/subtle_keys').fromKeyObject(this, algorithm, extractable, keyUsages);
  }

  static from(key) {
    if (!isCryptoKey(key)) throw new ERR_INVALID_ARG_TYPE('key', 'CryptoKey', key);
    warnOfUnextractable(key);
    return keyObjectOf(key);
  }

  equals(otherKeyObject) {
    if (!isKeyObject(otherKeyObject)) throw new ERR_INVALID_ARG_TYPE('otherKeyObject', 'KeyObject', otherKeyObject);
    const mine = bytesOf(this);
    const other = bytesOf(otherKeyObject);
    return mine.length === other.length && random.equal(mine, other);
  }
}
ObjectDefineProperties(KeyObject.prototype, {
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'KeyObject' },
});

let bytesOf;
let isKeyObject;

class SecretKeyObject extends KeyObject {
  #bytes;

  constructor(bytes) {
    makesKeys = true;
    super('secret', bytes);
    makesKeys = false;
    this.#bytes = bytes;
  }

  static {
    bytesOf = (key) => key.#bytes;
    isKeyObject = (value) => typeof value === 'object' && value !== null && #bytes in value;
  }

  [kClone]() {
    return { id: 'internal/crypto/keys', data: copyBytes(this.#bytes) };
  }

  get symmetricKeySize() {
    return this.#bytes.length;
  }

  export(options) {
    if (options !== undefined) {
      validateObject(options, 'options');
      validateOneOf(options.format, 'options.format', [undefined, 'buffer', 'jwk']);
      if (options.format === 'jwk') {
        return { kty: 'oct', k: new FastBuffer(copyBytes(this.#bytes).buffer).toString('base64url') };
      }
    }
    return new FastBuffer(copyBytes(this.#bytes).buffer);
  }
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
  // All keys have the type 'secret'.
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
  return new SecretKeyObject(copyBytes(getArrayBufferOrView(key, 'key', encoding)));
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
  return new SecretKeyObject(bytes);
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
      bound(null, new SecretKeyObject(bytes));
    } else {
      bound(error);
    }
  });
}

function readClone(bytes) {
  return new SecretKeyObject(bytes);
}

module.exports = {
  CryptoKey,
  KeyObject,
  createSecretKey,
  generateKey,
  generateKeySync,
  isCryptoKey,
  isKeyObject,
  prepareSecretKey,
  readClone,
};
