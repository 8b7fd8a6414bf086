'use strict';

// The module `crypto`.

const { ArrayBufferIsView, ObjectDefineProperties } = primordials;

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
const { hkdf, hkdfSync, pbkdf2, pbkdf2Sync, scrypt, scryptSync } = require('internal/crypto/derive');
const { KeyObject, createSecretKey, generateKey, generateKeySync } = require('internal/crypto/keys');
const missing = require('internal/crypto/missing');
const { Cipher, Decipher, createCipher, createDecipher } = require('internal/crypto/password_cipher');
const {
  randomBytes, randomFill, randomFillSync, randomInt, randomUUID,
} = require('internal/crypto/random');
const { isAnyArrayBuffer } = require('internal/util/types');
const { validateString } = require('internal/validators');

const { equal } = internalBinding('crypto_random');

function checkCompared(value, name) {
  if (ArrayBufferIsView(value) || isAnyArrayBuffer(value)) return;
  const error = new ERR_INVALID_ARG_TYPE(name, ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], value);
  // The value may be a secret: the message does not show it.
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

// OpenSSL's modes that Rondo does not switch.
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
  checkPrime: missing.checkPrime,
  checkPrimeSync: missing.checkPrimeSync,
  createCipheriv,
  createDecipheriv,
  createDiffieHellman: missing.createDiffieHellman,
  createDiffieHellmanGroup: missing.createDiffieHellmanGroup,
  createECDH: missing.createECDH,
  createHash,
  createHmac,
  createPrivateKey: missing.createPrivateKey,
  createPublicKey: missing.createPublicKey,
  createSecretKey,
  createSign: missing.createSign,
  createVerify: missing.createVerify,
  diffieHellman: missing.diffieHellman,
  generatePrime: missing.generatePrime,
  generatePrimeSync: missing.generatePrimeSync,
  getCiphers,
  getCipherInfo,
  getCurves,
  getDiffieHellman: missing.getDiffieHellman,
  getHashes,
  hkdf,
  hkdfSync,
  pbkdf2,
  pbkdf2Sync,
  generateKeyPair: missing.generateKeyPair,
  generateKeyPairSync: missing.generateKeyPairSync,
  generateKey,
  generateKeySync,
  privateDecrypt: missing.privateDecrypt,
  privateEncrypt: missing.privateEncrypt,
  publicDecrypt: missing.publicDecrypt,
  publicEncrypt: missing.publicEncrypt,
  randomBytes,
  randomFill,
  randomFillSync,
  randomInt,
  randomUUID,
  scrypt,
  scryptSync,
  sign: missing.sign,
  setEngine,
  timingSafeEqual,
  getFips,
  setFips,
  verify: missing.verify,
  hash,
  Certificate: missing.Certificate,
  Cipher,
  Cipheriv,
  Decipher,
  Decipheriv,
  DiffieHellman: missing.DiffieHellman,
  DiffieHellmanGroup: missing.DiffieHellmanGroup,
  ECDH: missing.ECDH,
  Hash,
  Hmac,
  KeyObject,
  Sign: missing.Sign,
  Verify: missing.Verify,
  X509Certificate: missing.X509Certificate,
  secureHeapUsed,
};

const hidden = (value) => ({ __proto__: null, value, enumerable: false, configurable: true, writable: true });

ObjectDefineProperties(module.exports, {
  constants: { __proto__: null, configurable: false, enumerable: true, value: constants },
  createCipher: { __proto__: null, value: createCipher },
  createDecipher: { __proto__: null, value: createDecipher },
  fips: { __proto__: null, configurable: true, get: getFips, set: setFips },
  webcrypto: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return require('internal/crypto/webcrypto').crypto;
    },
    set: undefined,
  },
  subtle: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return require('internal/crypto/webcrypto').crypto.subtle;
    },
    set: undefined,
  },
  getRandomValues: {
    __proto__: null, configurable: true, enumerable: true, get: () => getRandomValues, set: undefined,
  },
  prng: hidden(randomBytes),
  pseudoRandomBytes: hidden(randomBytes),
  rng: hidden(randomBytes),
});
