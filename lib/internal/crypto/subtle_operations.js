'use strict';

// Web Crypto for public and private keys: signatures, encryption, agreement and encapsulation.

const {
  ArrayBufferPrototypeGetByteLength,
  ArrayBufferPrototypeSlice,
  MathCeil,
  Promise,
  Uint8Array,
} = primordials;

const { codedTypeError, codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const constants = require('internal/crypto/constants');
const { partsOf } = require('internal/crypto/keys');
const { hashName, hashOf } = require('internal/crypto/subtle_hash');
const { exception, missingOption, operationError, paramOf } = require('internal/crypto/subtle_convert');
const { algorithmOf, cryptoKeyType, isCryptoKey, keyObjectOf } = require('internal/crypto/web_key');

const exchange = internalBinding('crypto_exchange');
const rsa = internalBinding('crypto_rsa');
const signer = internalBinding('crypto_sign');

const { RSA_PKCS1_OAEP_PADDING, RSA_PKCS1_PSS_PADDING } = constants;

const handleOf = (key) => partsOf(keyObjectOf(key));

// Runs a native function, which gets its callback last, and returns a promise of its result.
function promiseOf(run) {
  return new Promise((resolve, reject) => {
    run((isDone, result) => {
      if (isDone) resolve(result);
      else reject(operationError(result));
    });
  });
}

function saltLengthOf(algorithm) {
  const { saltLength } = algorithm;
  if (saltLength === undefined) throw missingOption('RsaPssParams', 'saltLength');
  const number = +saltLength;
  if (!(number >= 0 && number < 2 ** 32)) {
    throw codedTypeError('ERR_INVALID_ARG_TYPE',
      'Failed to normalize algorithm: saltLength in passed algorithm is outside the expected range of 0 to ' +
      '4294967295.');
  }
  return number - number % 1;
}

function contextOf(algorithm) {
  if (algorithm.context === undefined) return undefined;
  const context = paramOf(algorithm, 'context', 'ContextParams');
  if (context.length > 255) throw exception('ContextParams.context must be at most 255 bytes', 'OperationError');
  return context;
}

// Converts the parameters of an algorithm, which happens before the key is checked.
function readSigning(algorithm) {
  const { name } = algorithm;
  switch (name) {
    case 'RSASSA-PKCS1-v1_5': case 'Ed25519': return { name };
    case 'RSA-PSS': return { name, saltLength: saltLengthOf(algorithm) };
    case 'ECDSA': return { name, digest: hashName(hashOf(algorithm, 'EcdsaParams')) };
    default: return { name, context: contextOf(algorithm) };
  }
}

// With a signature it is verified.
function signOrVerify(params, key, data, signature) {
  const type = signature === undefined ? 'private' : 'public';
  if (cryptoKeyType(key) !== type) throw exception(`Key must be a ${type} key`, 'InvalidAccessError');
  const { name, saltLength, context } = params;
  const { hash } = algorithmOf(key);
  const digest = hash === undefined ? params.digest : hashName(hash.name);
  const isPss = name === 'RSA-PSS';
  if (isPss && saltLength > 2 ** 31 - 1) {
    if (signature !== undefined) return false;
    throw operationError();
  }
  const handle = handleOf(key);
  const padding = isPss ? RSA_PKCS1_PSS_PADDING : undefined;
  const isP1363 = name === 'ECDSA';
  return promiseOf((callback) => {
    if (signature === undefined) {
      signer.signOnce(handle, data, digest, padding, saltLength, isP1363, context, callback);
    } else {
      signer.verifyOnce(handle, data, digest, padding, saltLength, isP1363, context, signature, callback);
    }
  });
}

function readLabel(algorithm) {
  return algorithm.label === undefined ? undefined : paramOf(algorithm, 'label', 'RsaOaepParams');
}

function runOaep(isEncrypt, label, key, data) {
  if (cryptoKeyType(key) !== (isEncrypt ? 'public' : 'private')) {
    throw exception('The requested operation is not valid for the provided key', 'InvalidAccessError');
  }
  return promiseOf((callback) => rsa.run(isEncrypt ? rsa.kPublicEncrypt : rsa.kPrivateDecrypt, handleOf(key), data,
    RSA_PKCS1_OAEP_PADDING, hashName(algorithmOf(key).hash.name), label, callback));
}

// Returns the key of the other side.
function readPeer(algorithm) {
  const peer = algorithm.public;
  if (peer === undefined) throw missingOption('EcdhKeyDeriveParams', 'public');
  if (!isCryptoKey(peer)) {
    const error = new ERR_INVALID_ARG_TYPE('public', 'CryptoKey', peer);
    error.message = 'Failed to normalize algorithm: public in passed algorithm is not of type CryptoKey.';
    throw error;
  }
  if (cryptoKeyType(peer) !== 'public') throw exception('algorithm.public must be a public key', 'InvalidAccessError');
  if (algorithmOf(peer).name !== algorithm.name) throw exception('key algorithm mismatch', 'InvalidAccessError');
  return peer;
}

// Returns the first `length` bits; all if it is null.
function cut(secret, length) {
  if (length === null) return secret;
  const size = MathCeil(length / 8);
  const available = ArrayBufferPrototypeGetByteLength(secret);
  if (available < size) throw exception('derived bit length is too small', 'OperationError');
  const result = available === size ? secret : ArrayBufferPrototypeSlice(secret, 0, size);
  const surplus = size * 8 - length;
  if (surplus > 0) {
    const bytes = new Uint8Array(result);
    bytes[size - 1] &= 0xff << surplus;
  }
  return result;
}

async function agree(peer, key, length) {
  if (cryptoKeyType(key) !== 'private') throw exception('baseKey must be a private key', 'InvalidAccessError');
  if (algorithmOf(peer).name !== algorithmOf(key).name) {
    throw exception('The public and private keys must be of the same type', 'InvalidAccessError');
  }
  if (algorithmOf(peer).namedCurve !== algorithmOf(key).namedCurve) {
    throw exception('Named curve mismatch', 'InvalidAccessError');
  }
  const secret = await promiseOf((callback) => exchange.agree(handleOf(key), handleOf(peer), callback));
  return cut(secret, length);
}

async function encapsulate(key) {
  if (cryptoKeyType(key) !== 'public') throw exception('Key must be a public key', 'InvalidAccessError');
  const { 0: sharedKey, 1: ciphertext } =
    await promiseOf((callback) => exchange.encapsulate(handleOf(key), callback));
  return { sharedKey, ciphertext };
}

function decapsulate(key, ciphertext) {
  if (cryptoKeyType(key) !== 'private') throw exception('Key must be a private key', 'InvalidAccessError');
  return promiseOf((callback) => exchange.decapsulate(handleOf(key), ciphertext, callback));
}

module.exports = {
  agree, decapsulate, encapsulate, promiseOf, readLabel, readPeer, readSigning, runOaep, signOrVerify,
};
