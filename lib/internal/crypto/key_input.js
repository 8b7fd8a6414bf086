'use strict';

// Converts what programs pass as a public or private key to native handles.

const { ArrayPrototypePush, Error, StringPrototypeStartsWith, StringPrototypeToLowerCase, TypeError } = primordials;

const {
  codedError,
  codedTypeError,
  codes: {
    ERR_CRYPTO_INVALID_CURVE,
    ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
  },
} = require('internal/errors');
const { importJwk, invalidJwk } = require('internal/crypto/jwk');
const { isStringOrBytes, kPrivate, readEncoding } = require('internal/crypto/key_encoding');
const { isCryptoKey, isKeyObject, makeAsymmetric, partsOf, typeOf, warnOfCryptoKey } = require('internal/crypto/keys');
const { getArrayBufferOrView } = require('internal/crypto/util');
const { keyObjectOf } = require('internal/crypto/web_key');
const { validateObject, validateString } = require('internal/validators');

const binding = internalBinding('crypto_keys');
const material = internalBinding('crypto_key_material');

// The purpose of a key.
const kConsumePublic = 0; // A private key also serves.
const kConsumePrivate = 1;
const kCreatePublic = 2;
const kCreatePrivate = 3;

const byteTypes = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];

function acceptedTypes(context) {
  const types = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView', 'string'];
  if (context !== kCreatePrivate) ArrayPrototypePush(types, 'KeyObject', 'CryptoKey');
  if (context === kConsumePrivate || context === kCreatePrivate) ArrayPrototypePush(types, 'URL');
  return types;
}

const wantsPrivate = (context) => context === kConsumePrivate || context === kCreatePrivate;

function handleOf(keyObject, context) {
  if (context === kCreatePrivate) {
    throw new ERR_INVALID_ARG_TYPE('key', acceptedTypes(context), keyObject);
  }
  const type = typeOf(keyObject);
  if (type !== 'private') {
    if (context === kConsumePrivate || context === kCreatePublic) {
      throw new ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(type, 'private');
    }
    if (type !== 'public') throw new ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(type, 'private or public');
  }
  return partsOf(keyObject);
}

// Returns the handle of a KeyObject or CryptoKey; undefined for other values.
function handleOfKey(key, context) {
  if (isKeyObject(key)) return handleOf(key, context);
  if (!isCryptoKey(key)) return undefined;
  warnOfCryptoKey();
  if (context === kCreatePrivate) throw new ERR_INVALID_ARG_TYPE('key', acceptedTypes(context), key);
  return handleOf(keyObjectOf(key), context);
}

function readJwk(data, name, context) {
  validateObject(data, `${name}.key`);
  const handle = importJwk(data);
  if (wantsPrivate(context) && !binding.isPrivate(handle)) {
    throw invalidJwk('JWK does not contain private key material');
  }
  return handle;
}

const unsuitable = () => codedError(Error, 'ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS',
  'The selected key encoding is incompatible with the key type');

const badData = () => codedTypeError('ERR_INVALID_ARG_VALUE', 'Invalid key data');

function readRawEc(bytes, format, curve) {
  if (format === 'raw-seed') throw unsuitable();
  const sizes = material.curveSize(curve);
  if (sizes === undefined) throw new ERR_CRYPTO_INVALID_CURVE();
  let handle;
  if (format === 'raw-public') {
    handle = material.ecFromPoint(curve, bytes);
  } else if (bytes.byteLength === sizes[1]) {
    handle = material.ecFromNumber(curve, bytes);
  }
  if (handle === undefined) throw badData();
  return handle;
}

// The format of private keys by algorithm.
function privateFormat(algorithm) {
  switch (algorithm) {
    case 'ed25519': case 'ed448': case 'x25519': case 'x448': return 'raw-private';
    case 'ml-dsa-44': case 'ml-dsa-65': case 'ml-dsa-87': case 'ml-kem-512': case 'ml-kem-768': case 'ml-kem-1024':
      return 'raw-seed';
    case 'slh-dsa-sha2-128f': case 'slh-dsa-sha2-128s': case 'slh-dsa-sha2-192f': case 'slh-dsa-sha2-192s':
    case 'slh-dsa-sha2-256f': case 'slh-dsa-sha2-256s': case 'slh-dsa-shake-128f': case 'slh-dsa-shake-128s':
    case 'slh-dsa-shake-192f': case 'slh-dsa-shake-192s': case 'slh-dsa-shake-256f': case 'slh-dsa-shake-256s':
      return 'raw-private';
    default: return undefined;
  }
}

function readRaw(key, data, format, name, context) {
  if (wantsPrivate(context) && format === 'raw-public') throw new ERR_INVALID_ARG_VALUE(`${name}.format`, format);
  if (typeof data === 'string' || !isStringOrBytes(data)) {
    throw new ERR_INVALID_ARG_TYPE(`${name}.key`, byteTypes, data);
  }
  const { asymmetricKeyType, namedCurve } = key;
  validateString(asymmetricKeyType, `${name}.asymmetricKeyType`);
  if (asymmetricKeyType === 'ec') {
    validateString(namedCurve, `${name}.namedCurve`);
    return readRawEc(data, format, namedCurve);
  }
  const algorithm = StringPrototypeToLowerCase(asymmetricKeyType);
  const wanted = privateFormat(algorithm);
  if (wanted === undefined) {
    switch (asymmetricKeyType) {
      case 'rsa': case 'rsa-pss': case 'dsa': case 'dh': throw unsuitable();
      default: throw codedError(
        TypeError, 'ERR_INVALID_ARG_VALUE', `Invalid asymmetricKeyType: ${asymmetricKeyType}`);
    }
  }
  if (format !== 'raw-public' && format !== wanted) throw unsuitable();
  const handle = format === 'raw-seed' ? material.fromSeed(algorithm, data) :
    material.fromRaw(algorithm, data, format === 'raw-private');
  if (handle === undefined) throw badData();
  return handle;
}

function parse(data, { format, structure, passphrase }, context) {
  return binding.parse(data, format === 'der' ? binding.kFormatDer : binding.kFormatPem,
    structure ?? binding.kNoStructure, passphrase, wantsPrivate(context));
}

const kPem = { __proto__: null, format: 'pem', structure: undefined, passphrase: undefined };

function toHandle(key, context, name = 'key') {
  const known = handleOfKey(key, context);
  if (known !== undefined) return known;
  if (isStringOrBytes(key)) return parse(getArrayBufferOrView(key, name), kPem, context);
  if (typeof key !== 'object') throw new ERR_INVALID_ARG_TYPE(name, acceptedTypes(context), key);
  const { key: data, encoding, format } = key;
  const inner = handleOfKey(data, context);
  if (inner !== undefined) return inner;
  if (format === 'jwk') return readJwk(data, name, context);
  if (typeof format === 'string' && StringPrototypeStartsWith(format, 'raw-')) {
    if (format === 'raw-public' || format === 'raw-private' || format === 'raw-seed') {
      return readRaw(key, data, format, name, context);
    }
  }
  if (!isStringOrBytes(data)) throw new ERR_INVALID_ARG_TYPE(`${name}.key`, acceptedTypes(context), data);
  const bytes = getArrayBufferOrView(data, `${name}.key`, encoding);
  return parse(bytes, readEncoding(key, undefined, wantsPrivate(context) ? kPrivate : undefined, name), context);
}

const toPrivateHandle = (key, name) => toHandle(key, kConsumePrivate, name);
const toPublicHandle = (key, name) => toHandle(key, kConsumePublic, name);

function createPrivateKey(key) {
  return makeAsymmetric(toHandle(key, kCreatePrivate));
}

function createPublicKey(key) {
  const handle = toHandle(key, kCreatePublic);
  return makeAsymmetric(binding.isPrivate(handle) ? binding.asPublic(handle) : handle);
}

module.exports = { createPrivateKey, createPublicKey, toPrivateHandle, toPublicHandle };
