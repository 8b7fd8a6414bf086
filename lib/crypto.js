'use strict';

// node:crypto. The functions are in internal/crypto.

const { ArrayBufferIsView, ObjectDefineProperties, ObjectDefineProperty } = primordials;

const {
  ERR_CRYPTO_ENGINE_UNKNOWN,
  ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH,
  ERR_INVALID_ARG_TYPE,
} = require('internal/errors').codes;
const {
  Cipheriv, Decipheriv, createCipheriv, createDecipheriv, getCipherInfo, getCiphers, getCurves,
} = require('internal/crypto/cipher');
const constants = require('internal/crypto/constants');
const { Hash, Hmac, createHash, createHmac, getHashes, hash } = require('internal/crypto/hash');
const {
  argon2,
  argon2Sync,
  hkdf,
  hkdfSync,
  pbkdf2,
  pbkdf2Sync,
  scrypt,
  scryptSync,
} = require('internal/crypto/derive');
const { KeyObject, createSecretKey, generateKey, generateKeySync } = require('internal/crypto/keys');
const { Certificate } = require('internal/crypto/certificate');
const {
  DiffieHellman,
  DiffieHellmanGroup,
  ECDH,
  createDiffieHellman,
  createECDH,
  createDiffieHellmanGroup,
  diffieHellman,
} = require('internal/crypto/diffie_hellman');
const { decapsulate, encapsulate } = require('internal/crypto/kem');
const { createPrivateKey, createPublicKey } = require('internal/crypto/key_input');
const { generateKeyPair, generateKeyPairSync } = require('internal/crypto/keygen');
const { createMac, getMacs } = require('internal/crypto/mac');
const { checkPrime, checkPrimeSync, generatePrime, generatePrimeSync } = require('internal/crypto/prime');
const { privateDecrypt, privateEncrypt, publicDecrypt, publicEncrypt } = require('internal/crypto/rsa');
const { Sign, Verify, createSign, createVerify, sign, verify } = require('internal/crypto/sign');
const { X509Certificate } = require('internal/crypto/x509');
const {
  randomBytes, randomFill, randomFillSync, randomInt, randomUUID, randomUUIDv7,
} = require('internal/crypto/random');
const { deprecate } = require('internal/util');
const { isAnyArrayBuffer } = require('internal/util/types');
const { validateString } = require('internal/validators');

const { equal } = internalBinding('crypto_random');

function checkCompared(value, name) {
  if (ArrayBufferIsView(value) || isAnyArrayBuffer(value)) return;
  const error = new ERR_INVALID_ARG_TYPE(name, ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], value);
  // The message omits the value, which may be a secret.
  error.message = `The "${name}" argument must be an instance of ArrayBuffer, Buffer, TypedArray, or DataView.`;
  throw error;
}

const { timingSafeEqual } = {
  timingSafeEqual(...buffers) {
    checkCompared(buffers[0], 'buf1');
    checkCompared(buffers[1], 'buf2');
    if (buffers[0].byteLength !== buffers[1].byteLength) throw new ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH();
    return equal(buffers[0], buffers[1]);
  },
};

function getRandomValues(array) {
  const { crypto } = require('internal/crypto/webcrypto');
  return crypto.getRandomValues(array);
}

// Rondo does not support the FIPS mode of OpenSSL.
function getFips() {
  return 0;
}

function setFips(value) {}

function secureHeapUsed() {
  return { total: 0, used: 0, utilization: 0, min: 0 };
}

function setEngine(id, flags) {
  validateString(id, 'id');
  throw new ERR_CRYPTO_ENGINE_UNKNOWN(id);
}

module.exports = {
  argon2,
  argon2Sync,
  checkPrime,
  checkPrimeSync,
  createCipheriv,
  createDecipheriv,
  createDiffieHellman,
  createDiffieHellmanGroup,
  createECDH,
  createHash,
  createHmac,
  createMac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  createSign,
  createVerify,
  diffieHellman,
  generatePrime,
  generatePrimeSync,
  getCiphers,
  getCipherInfo,
  getCurves,
  getDiffieHellman: createDiffieHellmanGroup,
  getHashes,
  getMacs,
  hkdf,
  hkdfSync,
  pbkdf2,
  pbkdf2Sync,
  generateKeyPair,
  generateKeyPairSync,
  generateKey,
  generateKeySync,
  privateDecrypt,
  privateEncrypt,
  publicDecrypt,
  publicEncrypt,
  randomBytes,
  randomFill,
  randomFillSync,
  randomInt,
  randomUUID,
  randomUUIDv7,
  scrypt,
  scryptSync,
  sign,
  setEngine,
  timingSafeEqual,
  getFips,
  setFips,
  verify,
  hash,
  encapsulate,
  decapsulate,
  Certificate,
  Cipheriv,
  Decipheriv,
  DiffieHellman,
  DiffieHellmanGroup,
  ECDH,
  Hash: deprecate(Hash, 'crypto.Hash constructor is deprecated.', 'DEP0179'),
  Hmac: deprecate(Hmac, 'crypto.Hmac constructor is deprecated.', 'DEP0181'),
  KeyObject,
  Sign,
  Verify,
  X509Certificate,
  secureHeapUsed,
};

// A deprecated name of randomBytes(). Becomes a data property on first use.
function aliasOfRandomBytes(name) {
  const define = (object, value, enumerable) => {
    ObjectDefineProperty(object, name, { __proto__: null, configurable: true, writable: true, enumerable, value });
    return value;
  };
  return {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get() {
      const isPending = require('internal/options').getOptionValue('--pending-deprecation');
      const value = isPending ? deprecate(randomBytes, `crypto.${name} is deprecated.`, 'DEP0115') : randomBytes;
      return define(this, value, false);
    },
    set(value) {
      define(this, value, true);
    },
  };
}

ObjectDefineProperties(module.exports, {
  constants: { __proto__: null, configurable: false, enumerable: true, value: constants },
  fips: {
    __proto__: null,
    get: deprecate(getFips, 'The crypto.fips is deprecated. Please use crypto.getFips()', 'DEP0093'),
    set: deprecate(setFips, 'The crypto.fips is deprecated. Please use crypto.setFips()', 'DEP0093'),
  },
  webcrypto: {
    __proto__: null,
    configurable: false,
    enumerable: true,
    get() {
      return require('internal/crypto/webcrypto').crypto;
    },
    set: undefined,
  },
  subtle: {
    __proto__: null,
    configurable: false,
    enumerable: true,
    get() {
      return require('internal/crypto/webcrypto').crypto.subtle;
    },
    set: undefined,
  },
  getRandomValues: {
    __proto__: null, configurable: false, enumerable: true, get: () => getRandomValues, set: undefined,
  },
  prng: aliasOfRandomBytes('prng'),
  pseudoRandomBytes: aliasOfRandomBytes('pseudoRandomBytes'),
  rng: aliasOfRandomBytes('rng'),
});
