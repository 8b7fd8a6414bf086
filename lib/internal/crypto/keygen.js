'use strict';

// generateKeyPair().

const { FunctionPrototypeCall, ObjectDefineProperty, TypeError } = primordials;

const {
  codedError,
  codes: {
    ERR_CRYPTO_INVALID_CURVE,
    ERR_CRYPTO_UNKNOWN_DH_GROUP,
    ERR_INCOMPATIBLE_OPTION_PAIR,
    ERR_INVALID_ARG_VALUE,
    ERR_MISSING_OPTION,
  },
} = require('internal/errors');
const { bindCallback } = require('internal/async_hooks');
const { checkCipher, encode, kPrivate, kPublic, readEncoding } = require('internal/crypto/key_encoding');
const { makeAsymmetric } = require('internal/crypto/keys');
const { customPromisifyArgs } = require('internal/util');
const {
  validateBuffer, validateFunction, validateInt32, validateObject, validateString, validateUint32,
} = require('internal/validators');

const binding = internalBinding('crypto_keygen');

function readKeyEncoding(type, options, name, direction) {
  const encoding = options?.[name];
  if (encoding == null) return undefined;
  if (typeof encoding !== 'object') throw new ERR_INVALID_ARG_VALUE(`options.${name}`, encoding);
  return readEncoding(encoding, type, direction, `options.${name}`);
}

// Turns -0 into 0, because native code takes integers.
const positive = (number) => number + 0;

function startRsa(type, options, callback) {
  const { modulusLength, publicExponent } = options;
  validateUint32(modulusLength, 'options.modulusLength');
  if (publicExponent != null) validateUint32(publicExponent, 'options.publicExponent');
  const exponent = publicExponent == null ? 0x10001 : positive(publicExponent);
  if (type === 'rsa') {
    return binding.rsa(false, positive(modulusLength), exponent, undefined, undefined, undefined, callback);
  }
  const { hashAlgorithm, mgf1HashAlgorithm, saltLength, hash, mgf1Hash } = options;
  if (saltLength !== undefined) validateInt32(saltLength, 'options.saltLength', 0);
  if (hashAlgorithm !== undefined) validateString(hashAlgorithm, 'options.hashAlgorithm');
  if (mgf1HashAlgorithm !== undefined) validateString(mgf1HashAlgorithm, 'options.mgf1HashAlgorithm');
  if (hash !== undefined) throw new ERR_INVALID_ARG_VALUE('options.hash', hash, 'is no longer supported');
  if (mgf1Hash !== undefined) throw new ERR_INVALID_ARG_VALUE('options.mgf1Hash', mgf1Hash, 'is no longer supported');
  const result = binding.rsa(true, positive(modulusLength), exponent, hashAlgorithm, mgf1HashAlgorithm,
    saltLength === undefined ? undefined : positive(saltLength), callback);
  if (typeof result === 'string') {
    const message = result === 'digest' ? `Invalid digest: ${hashAlgorithm}` :
      `Invalid MGF1 digest: ${mgf1HashAlgorithm}`;
    throw codedError(TypeError, 'ERR_CRYPTO_INVALID_DIGEST', message);
  }
  return result;
}

function startDsa(options, callback) {
  const { modulusLength, divisorLength } = options;
  validateUint32(modulusLength, 'options.modulusLength');
  if (divisorLength != null) validateInt32(divisorLength, 'options.divisorLength', 0);
  return binding.dsa(positive(modulusLength), divisorLength == null ? -1 : positive(divisorLength), callback);
}

function startEc(options, callback) {
  const { namedCurve, paramEncoding } = options;
  validateString(namedCurve, 'options.namedCurve');
  if (paramEncoding != null && paramEncoding !== 'named' && paramEncoding !== 'explicit') {
    throw new ERR_INVALID_ARG_VALUE('options.paramEncoding', paramEncoding);
  }
  const result = binding.ec(namedCurve, paramEncoding === 'explicit', callback);
  if (result === false) throw new ERR_CRYPTO_INVALID_CURVE();
  return result;
}

function startDh(options, callback) {
  const { group, prime, primeLength, generator } = options;
  if (group != null) {
    if (prime != null) throw new ERR_INCOMPATIBLE_OPTION_PAIR('group', 'prime');
    if (primeLength != null) throw new ERR_INCOMPATIBLE_OPTION_PAIR('group', 'primeLength');
    if (generator != null) throw new ERR_INCOMPATIBLE_OPTION_PAIR('group', 'generator');
    validateString(group, 'options.group');
    const result = binding.dh(group, undefined, undefined, callback);
    if (result === false) throw new ERR_CRYPTO_UNKNOWN_DH_GROUP();
    return result;
  }
  if (prime != null) {
    if (primeLength != null) throw new ERR_INCOMPATIBLE_OPTION_PAIR('prime', 'primeLength');
    validateBuffer(prime, 'options.prime');
  } else if (primeLength != null) {
    validateInt32(primeLength, 'options.primeLength', 0);
  } else {
    throw new ERR_MISSING_OPTION('At least one of the group, prime, or primeLength options');
  }
  if (generator != null) validateInt32(generator, 'options.generator', 0);
  return binding.dh(undefined, prime ?? positive(primeLength), generator == null ? 2 : positive(generator), callback);
}

// Starts the generation of handles, or returns them.
function start(type, options, callback) {
  switch (type) {
    case 'rsa': case 'rsa-pss': validateObject(options, 'options'); return startRsa(type, options, callback);
    case 'dsa': validateObject(options, 'options'); return startDsa(options, callback);
    case 'ec': validateObject(options, 'options'); return startEc(options, callback);
    case 'dh': validateObject(options, 'options'); return startDh(options, callback);
    case 'ed25519': case 'ed448': case 'x25519': case 'x448':
    case 'ml-dsa-44': case 'ml-dsa-65': case 'ml-dsa-87': case 'ml-kem-512': case 'ml-kem-768': case 'ml-kem-1024':
    case 'slh-dsa-sha2-128f': case 'slh-dsa-sha2-128s': case 'slh-dsa-sha2-192f': case 'slh-dsa-sha2-192s':
    case 'slh-dsa-sha2-256f': case 'slh-dsa-sha2-256s': case 'slh-dsa-shake-128f': case 'slh-dsa-shake-128s':
    case 'slh-dsa-shake-192f': case 'slh-dsa-shake-192s': case 'slh-dsa-shake-256f': case 'slh-dsa-shake-256s':
      return binding.named(type, callback);
    default: throw new ERR_INVALID_ARG_VALUE('type', type, 'must be a supported key type');
  }
}

function readOptions(type, options) {
  validateString(type, 'type');
  if (options !== undefined) validateObject(options, 'options');
  const publicEncoding = readKeyEncoding(type, options, 'publicKeyEncoding', kPublic);
  const privateEncoding = readKeyEncoding(type, options, 'privateKeyEncoding', kPrivate);
  if (privateEncoding !== undefined) checkCipher(privateEncoding);
  return { publicEncoding, privateEncoding };
}

function toKey(handle, encoding, isPrivate) {
  return encoding === undefined ? makeAsymmetric(handle) : encode(handle, isPrivate, encoding);
}

function toKeys(handles, { publicEncoding, privateEncoding }) {
  return {
    publicKey: toKey(handles[0], publicEncoding, false),
    privateKey: toKey(handles[1], privateEncoding, true),
  };
}

function generateKeyPair(type, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  validateFunction(callback, 'callback');
  const encodings = readOptions(type, options);
  const bound = bindCallback('KEYPAIRGENREQUEST', callback);
  start(type, options, (isDone, result) => {
    if (!isDone) {
      FunctionPrototypeCall(bound, undefined, result);
      return;
    }
    let keys;
    try {
      keys = toKeys(result, encodings);
    } catch (error) {
      FunctionPrototypeCall(bound, undefined, error);
      return;
    }
    FunctionPrototypeCall(bound, undefined, null, keys.publicKey, keys.privateKey);
  });
}
ObjectDefineProperty(generateKeyPair, customPromisifyArgs, {
  __proto__: null, value: ['publicKey', 'privateKey'], enumerable: false,
});

function generateKeyPairSync(type, options) {
  const encodings = readOptions(type, options);
  return toKeys(start(type, options), encodings);
}

module.exports = { generateKeyPair, generateKeyPairSync, start };
