'use strict';

// Cipher and Decipher, whose key and vector are made from a password, with MD5 and without salt: OpenSSL's oldest way,
// and good for nothing but to read what was written with it. Hence the warnings.

const { MathMin, TypedArrayPrototypeFill, TypedArrayPrototypeSet, TypedArrayPrototypeSubarray, Uint8Array } = primordials;

const { deprecate } = require('internal/util');
const { defineMethods, getCipherInfo, init, refused } = require('internal/crypto/cipher');
const { getArrayBufferOrView } = require('internal/crypto/util');
const { validateString } = require('internal/validators');

const { create } = internalBinding('crypto_cipher');
const { hash } = internalBinding('crypto_hash');

// The digest of the password, then of that digest and the password, and so on, until there are enough bytes.
function derive(password, size) {
  const { Buffer } = require('buffer');
  const secret = typeof password === 'string' ? Buffer.from(password) : new Uint8Array(
    password.buffer ?? password, password.byteOffset ?? 0, password.byteLength);
  const result = new Uint8Array(size);
  let previous = new Uint8Array(0);
  for (let at = 0; at < size; at += previous.length) {
    const input = new Uint8Array(previous.length + secret.length);
    TypedArrayPrototypeSet(input, previous);
    TypedArrayPrototypeSet(input, secret, previous.length);
    previous = new Uint8Array(hash('md5', input));
    TypedArrayPrototypeSet(
      result, TypedArrayPrototypeSubarray(previous, 0, MathMin(previous.length, size - at)), at);
    TypedArrayPrototypeFill(input, 0);
  }
  return result;
}

function initWithPassword(self, cipher, password, options, encrypts) {
  validateString(cipher, 'cipher');
  password = getArrayBufferOrView(password, 'password');
  const info = getCipherInfo(cipher);
  // Says itself what is wrong, if it is not just the name.
  if (info === undefined) throw refused(create(cipher, encrypts, password, null), cipher);
  const { mode, keyLength, ivLength = 0 } = info;
  if (encrypts && (mode === 'ctr' || mode === 'gcm' || mode === 'ccm')) {
    process.emitWarning(`Use Cipheriv for counter mode of ${cipher}`);
  }
  const bytes = derive(password, keyLength + ivLength);
  const vector = ivLength === 0 ? null : TypedArrayPrototypeSubarray(bytes, keyLength);
  init(self, cipher, TypedArrayPrototypeSubarray(bytes, 0, keyLength), vector, options, encrypts);
}

function Cipher(cipher, password, options) {
  if (!(this instanceof Cipher)) return new Cipher(cipher, password, options);
  initWithPassword(this, cipher, password, options, true);
}
defineMethods(Cipher, true);

function Decipher(cipher, password, options) {
  if (!(this instanceof Decipher)) return new Decipher(cipher, password, options);
  initWithPassword(this, cipher, password, options, false);
}
defineMethods(Decipher, false);

function createCipher(cipher, password, options) {
  return new Cipher(cipher, password, options);
}

function createDecipher(cipher, password, options) {
  return new Decipher(cipher, password, options);
}

module.exports = {
  Cipher,
  Decipher,
  createCipher: deprecate(createCipher, 'crypto.createCipher is deprecated.', 'DEP0106'),
  createDecipher: deprecate(createDecipher, 'crypto.createDecipher is deprecated.', 'DEP0106'),
};
