'use strict';

// DiffieHellman, DiffieHellmanGroup, ECDH and diffieHellman().

const { ArrayBufferIsView, Error, ObjectDefineProperty, SafeSet, TypeError } = primordials;

const {
  codedError,
  codes: {
    ERR_CRYPTO_ECDH_INVALID_FORMAT,
    ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY,
    ERR_CRYPTO_INCOMPATIBLE_KEY,
    ERR_CRYPTO_INVALID_CURVE,
    ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE,
    ERR_CRYPTO_OPERATION_FAILED,
    ERR_CRYPTO_UNKNOWN_DH_GROUP,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
  },
} = require('internal/errors');
const { FastBuffer } = require('internal/buffer/fast');
const { toPrivateHandle, toPublicHandle } = require('internal/crypto/key_input');
const { isKeyObject, partsOf, typeOf } = require('internal/crypto/keys');
const { whenDone } = require('internal/crypto/sign');
const { getArrayBufferOrView, kHandle } = require('internal/crypto/util');
const { deprecate } = require('internal/util');
const { isAnyArrayBuffer } = require('internal/util/types');
const { validateFunction, validateInt32, validateObject, validateString } = require('internal/validators');
const { Buffer } = require('buffer');

const dh = internalBinding('crypto_dh');
const ecdh = internalBinding('crypto_ecdh');
const exchange = internalBinding('crypto_exchange');
const keys = internalBinding('crypto_keys');
const { kCompressed, kHybrid, kUncompressed } = internalBinding('crypto_key_material');

const kGenerator = 2;
const numberTypes = ['number', 'string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];

function isBytes(value) {
  return ArrayBufferIsView(value) || isAnyArrayBuffer(value);
}

function toBytes(value, encoding) {
  if (typeof value !== 'string') return value;
  return Buffer.from(value, encoding === 'buffer' || !encoding ? 'utf8' : encoding);
}

function encode(bytes, encoding) {
  const buffer = new FastBuffer(bytes);
  return encoding && encoding !== 'buffer' ? buffer.toString(encoding) : buffer;
}

function defineVerifyError(object, handle) {
  const value = dh.verifyError(handle);
  if (value === undefined) throw new ERR_CRYPTO_OPERATION_FAILED('Checking DH parameters failed');
  ObjectDefineProperty(object, 'verifyError', { __proto__: null, enumerable: true, value, writable: false });
}

function checkGenerator(generator, encoding) {
  if (!generator) return kGenerator;
  if (typeof generator === 'number') {
    validateInt32(generator, 'generator');
    return generator;
  }
  if (typeof generator === 'string') return toBytes(generator, encoding);
  if (!isBytes(generator)) throw new ERR_INVALID_ARG_TYPE('generator', numberTypes, generator);
  return generator;
}

function DiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding) {
  if (!(this instanceof DiffieHellman)) return new DiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding);
  if (typeof sizeOrKey !== 'number' && typeof sizeOrKey !== 'string' && !isBytes(sizeOrKey)) {
    throw new ERR_INVALID_ARG_TYPE('sizeOrKey', numberTypes, sizeOrKey);
  }
  if (typeof sizeOrKey === 'number') {
    validateInt32(sizeOrKey, 'sizeOrKey');
    sizeOrKey += 0; // Turns -0 into 0.
  }
  // The encoding may be left out.
  if (keyEncoding && !Buffer.isEncoding(keyEncoding) && keyEncoding !== 'buffer') {
    genEncoding = generator;
    generator = keyEncoding;
    keyEncoding = false;
  }
  if (typeof sizeOrKey !== 'number') sizeOrKey = toBytes(sizeOrKey, keyEncoding);
  this[kHandle] = dh.create(sizeOrKey, checkGenerator(generator, genEncoding));
  defineVerifyError(this, this[kHandle]);
}

function DiffieHellmanGroup(name) {
  if (!(this instanceof DiffieHellmanGroup)) return new DiffieHellmanGroup(name);
  if (typeof name !== 'string') throw codedError(TypeError, 'ERR_INVALID_ARG_TYPE', 'Group name must be a string');
  const handle = dh.createGroup(name);
  if (handle === undefined) throw new ERR_CRYPTO_UNKNOWN_DH_GROUP();
  this[kHandle] = handle;
  defineVerifyError(this, handle);
}

function dhGenerateKeys(encoding) {
  return encode(dh.generateKeys(this[kHandle]), encoding);
}
DiffieHellmanGroup.prototype.generateKeys = DiffieHellman.prototype.generateKeys = dhGenerateKeys;

function dhComputeSecret(key, inEnc, outEnc) {
  key = getArrayBufferOrView(key, 'key', inEnc);
  return encode(dh.computeSecret(this[kHandle], key), outEnc);
}
DiffieHellmanGroup.prototype.computeSecret = DiffieHellman.prototype.computeSecret = dhComputeSecret;

const missingKey = (kind) =>
  codedError(Error, 'ERR_CRYPTO_INVALID_STATE', `No ${kind} key - did you forget to generate one?`);

function dhGetPrime(encoding) {
  const prime = dh.getPrime(this[kHandle]);
  if (prime.byteLength === 0) throw codedError(Error, 'ERR_CRYPTO_INVALID_STATE', 'p is null');
  return encode(prime, encoding);
}
DiffieHellmanGroup.prototype.getPrime = DiffieHellman.prototype.getPrime = dhGetPrime;

function dhGetGenerator(encoding) {
  return encode(dh.getGenerator(this[kHandle]), encoding);
}
DiffieHellmanGroup.prototype.getGenerator = DiffieHellman.prototype.getGenerator = dhGetGenerator;

function dhGetPublicKey(encoding) {
  const key = dh.getPublicKey(this[kHandle]);
  if (key === undefined) throw missingKey('public');
  return encode(key, encoding);
}
DiffieHellmanGroup.prototype.getPublicKey = DiffieHellman.prototype.getPublicKey = dhGetPublicKey;

function dhGetPrivateKey(encoding) {
  const key = dh.getPrivateKey(this[kHandle]);
  if (key === undefined) throw missingKey('private');
  return encode(key, encoding);
}
DiffieHellmanGroup.prototype.getPrivateKey = DiffieHellman.prototype.getPrivateKey = dhGetPrivateKey;

DiffieHellman.prototype.setPublicKey = function setPublicKey(key, encoding) {
  key = getArrayBufferOrView(key, 'key', encoding);
  if (!dh.setPublicKey(this[kHandle], key)) {
    throw codedError(TypeError, 'ERR_INVALID_ARG_VALUE', 'Invalid public key');
  }
  return this;
};

DiffieHellman.prototype.setPrivateKey = function setPrivateKey(key, encoding) {
  key = getArrayBufferOrView(key, 'key', encoding);
  if (!dh.setPrivateKey(this[kHandle], key)) {
    throw codedError(TypeError, 'ERR_INVALID_ARG_VALUE', 'Invalid private key');
  }
  return this;
};

function formOf(format) {
  if (!format || format === 'uncompressed') return kUncompressed;
  if (format === 'compressed') return kCompressed;
  if (format === 'hybrid') return kHybrid;
  throw new ERR_CRYPTO_ECDH_INVALID_FORMAT(format);
}

function ECDH(curve) {
  if (!(this instanceof ECDH)) return new ECDH(curve);
  validateString(curve, 'curve');
  const handle = ecdh.create(curve);
  if (handle === undefined) throw new ERR_CRYPTO_INVALID_CURVE();
  this[kHandle] = handle;
}

ECDH.prototype.computeSecret = function computeSecret(key, inEnc, outEnc) {
  key = getArrayBufferOrView(key, 'key', inEnc);
  const secret = ecdh.computeSecret(this[kHandle], key);
  if (secret === undefined) throw new ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY();
  return encode(secret, outEnc);
};

ECDH.prototype.setPrivateKey = function setPrivateKey(key, encoding) {
  ecdh.setPrivateKey(this[kHandle], getArrayBufferOrView(key, 'key', encoding));
  return this;
};

ECDH.prototype.setPublicKey = deprecate(function setPublicKey(key, encoding) {
  ecdh.setPublicKey(this[kHandle], getArrayBufferOrView(key, 'key', encoding));
  return this;
}, 'ecdh.setPublicKey() is deprecated.', 'DEP0031');

ECDH.prototype.getPrivateKey = function getPrivateKey(encoding) {
  return encode(ecdh.getPrivateKey(this[kHandle]), encoding);
};

ECDH.prototype.generateKeys = function generateKeys(encoding, format) {
  ecdh.generateKeys(this[kHandle]);
  return this.getPublicKey(encoding, format);
};

ECDH.prototype.getPublicKey = function getPublicKey(encoding, format) {
  return encode(ecdh.getPublicKey(this[kHandle], formOf(format)), encoding);
};

ECDH.convertKey = function convertKey(key, curve, inEnc, outEnc, format) {
  validateString(curve, 'curve');
  key = getArrayBufferOrView(key, 'key', inEnc);
  const form = formOf(format);
  if ((typeof key === 'string' ? key.length : key.byteLength) === 0) return '';
  const converted = ecdh.convertKey(key, curve, form);
  if (converted === undefined) throw new ERR_CRYPTO_INVALID_CURVE();
  return encode(converted, outEnc);
};

const agreeing = new SafeSet(['dh', 'ec', 'x448', 'x25519']);
const toBuffer = (bytes) => new FastBuffer(bytes);

function diffieHellman(options, callback) {
  validateObject(options, 'options');
  if (callback !== undefined) validateFunction(callback, 'callback');
  const { privateKey, publicKey } = options;
  if (privateKey == null) throw new ERR_INVALID_ARG_VALUE('options.privateKey', privateKey);
  if (publicKey == null) throw new ERR_INVALID_ARG_VALUE('options.publicKey', publicKey);
  if (isKeyObject(privateKey) && typeOf(privateKey) !== 'private') {
    throw new ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(typeOf(privateKey), 'private');
  }
  if (isKeyObject(publicKey) && typeOf(publicKey) === 'secret') {
    throw new ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE('secret', 'private or public');
  }
  if (isKeyObject(privateKey) && isKeyObject(publicKey)) {
    const own = keys.algorithm(partsOf(privateKey));
    const other = keys.algorithm(partsOf(publicKey));
    if (own !== other || !agreeing.has(own)) {
      throw new ERR_CRYPTO_INCOMPATIBLE_KEY('key types for Diffie-Hellman', `${own} and ${other}`);
    }
  }
  const peer = toPublicHandle(publicKey, 'options.publicKey');
  const own = toPrivateHandle(privateKey, 'options.privateKey');
  const secret = exchange.agree(own, peer, whenDone('DERIVEBITSREQUEST', callback, toBuffer));
  return callback === undefined ? toBuffer(secret) : undefined;
}

function createDiffieHellmanGroup(name) {
  return new DiffieHellmanGroup(name);
}

module.exports = {
  DiffieHellman,
  DiffieHellmanGroup,
  ECDH,
  createDiffieHellman: (sizeOrKey, keyEncoding, generator, genEncoding) =>
    new DiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding),
  createECDH: (curve) => new ECDH(curve),
  diffieHellman,
  createDiffieHellmanGroup,
};
