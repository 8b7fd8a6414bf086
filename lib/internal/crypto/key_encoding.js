'use strict';

// The encodings of public and private keys: options of a program that name them, and exported keys.

const { ArrayBufferIsView, Error, StringPrototypeStartsWith } = primordials;

const {
  codedError,
  codes: {
    ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS,
    ERR_CRYPTO_OPERATION_FAILED,
    ERR_CRYPTO_UNKNOWN_CIPHER,
    ERR_INVALID_ARG_VALUE,
  },
} = require('internal/errors');
const { FastBuffer } = require('internal/buffer/fast');
const { exportJwk } = require('internal/crypto/jwk');
const { getArrayBufferOrView } = require('internal/crypto/util');
const { isAnyArrayBuffer } = require('internal/util/types');
const { validateObject, validateOneOf } = require('internal/validators');

const binding = internalBinding('crypto_keys');
const cipherBinding = internalBinding('crypto_cipher');
const material = internalBinding('crypto_key_material');
const { kPkcs1, kPkcs8, kSec1, kSpki } = binding;

// The directions in which a key may be encoded; undefined means both.
const kPublic = 'public';
const kPrivate = 'private';

function optionName(name, prefix) {
  return prefix === undefined ? `options.${name}` : `${prefix}.${name}`;
}

function isStringOrBytes(value) {
  return typeof value === 'string' || ArrayBufferIsView(value) || isAnyArrayBuffer(value);
}

const formats = ['pem', 'der', 'jwk', 'raw-public', 'raw-private', 'raw-seed'];

function readFormat(format, fallback, name) {
  if (format === undefined && fallback !== undefined) return fallback;
  for (let i = 0; i < formats.length; i++) {
    if (format === formats[i]) return format;
  }
  throw new ERR_INVALID_ARG_VALUE(name, format);
}

// `algorithm` is undefined for a key that is read.
function readStructure(type, isRequired, algorithm, direction, name) {
  if (type === undefined && !isRequired) return undefined;
  if (type === 'pkcs1') {
    if (algorithm !== undefined && algorithm !== 'rsa') {
      throw new ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(type, 'can only be used for RSA keys');
    }
    return kPkcs1;
  }
  if (type === 'spki' && direction !== kPrivate) return kSpki;
  if (type === 'pkcs8' && direction !== kPublic) return kPkcs8;
  if (type === 'sec1' && direction !== kPublic) {
    if (algorithm !== undefined && algorithm !== 'ec') {
      throw new ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(type, 'can only be used for EC keys');
    }
    return kSec1;
  }
  throw new ERR_INVALID_ARG_VALUE(name, type);
}

// Returns { format, structure, form }, of which `form` is that of a point.
function readFormatAndStructure(encoding, algorithm, direction, prefix) {
  const isInput = algorithm === undefined;
  const formatName = optionName('format', prefix);
  const typeName = optionName('type', prefix);
  const { format: givenFormat, type } = encoding;
  const format = readFormat(givenFormat, isInput ? 'pem' : undefined, formatName);
  if (format === 'raw-public') {
    if (direction === kPrivate) throw new ERR_INVALID_ARG_VALUE(formatName, format);
    if (type === undefined || type === 'uncompressed') return { format, form: material.kUncompressed };
    if (type === 'compressed') return { format, form: material.kCompressed };
    throw new ERR_INVALID_ARG_VALUE(typeName, type);
  }
  if (format === 'raw-private' || format === 'raw-seed') {
    if (direction === kPublic) throw new ERR_INVALID_ARG_VALUE(formatName, format);
    if (type !== undefined) throw new ERR_INVALID_ARG_VALUE(typeName, type);
    return { format };
  }
  const isRequired = (!isInput || format === 'der') && format !== 'jwk';
  return { format, structure: readStructure(type, isRequired, algorithm, direction, typeName) };
}

const structureNames = [];
structureNames[kPkcs1] = 'pkcs1';
structureNames[kSec1] = 'sec1';

// Returns { format, structure, form, cipher, passphrase } of an option such as publicKeyEncoding. `algorithm` is that
// of the key to write; undefined for a key that is read.
function readEncoding(encoding, algorithm, direction, prefix) {
  validateObject(encoding, 'options');
  const isInput = algorithm === undefined;
  const result = readFormatAndStructure(encoding, algorithm, direction, prefix);
  if (direction === kPublic) return result;
  const { format, structure } = result;
  const { cipher, passphrase, encoding: textEncoding } = encoding;
  if (format === 'raw-private' || format === 'raw-seed') {
    if (cipher != null || passphrase !== undefined) {
      throw new ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS('raw format', 'does not support encryption');
    }
    return result;
  }
  const wantsCipher = !isInput && cipher != null;
  if (wantsCipher) {
    if (typeof cipher !== 'string') throw new ERR_INVALID_ARG_VALUE(optionName('cipher', prefix), cipher);
    if (format === 'der' && (structure === kPkcs1 || structure === kSec1)) {
      throw new ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(structureNames[structure], 'does not support encryption');
    }
  } else if (!isInput && passphrase !== undefined) {
    throw new ERR_INVALID_ARG_VALUE(
      optionName('cipher', prefix), cipher, 'is required when a passphrase is specified');
  }
  if ((isInput && passphrase !== undefined && !isStringOrBytes(passphrase)) ||
      (wantsCipher && !isStringOrBytes(passphrase))) {
    throw new ERR_INVALID_ARG_VALUE(optionName('passphrase', prefix), passphrase);
  }
  if (passphrase !== undefined) {
    result.passphrase = getArrayBufferOrView(passphrase, 'key.passphrase', textEncoding);
  }
  if (wantsCipher) result.cipher = cipher;
  return result;
}

function checkCipher({ cipher }) {
  if (cipher !== undefined && cipherBinding.getCipherInfo(cipher) === undefined) throw new ERR_CRYPTO_UNKNOWN_CIPHER();
}

const unsuitable = () => codedError(Error, 'ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS',
  'The selected key encoding is incompatible with the key type');

function isSeeded(algorithm) {
  return StringPrototypeStartsWith(`${algorithm}`, 'ml-');
}

function isRaw(algorithm) {
  switch (algorithm) {
    case 'ed25519': case 'ed448': case 'x25519': case 'x448': return true;
    default: return StringPrototypeStartsWith(`${algorithm}`, 'slh-dsa-');
  }
}

function exportRawPublic(handle, form) {
  const algorithm = binding.algorithm(handle);
  const isCurve = algorithm === 'ec';
  if (!isCurve && !isRaw(algorithm) && !isSeeded(algorithm)) throw unsuitable();
  const bytes = isCurve ? material.ecPoint(handle, form) : material.rawPublic(handle);
  if (bytes === undefined) {
    throw new ERR_CRYPTO_OPERATION_FAILED(
      isCurve ? 'Failed to export EC public key' : 'Failed to get raw public key');
  }
  return new FastBuffer(bytes);
}

function exportRawPrivate(handle) {
  const algorithm = binding.algorithm(handle);
  let bytes;
  if (algorithm === 'ec') {
    const { 1: size } = material.curveSize(binding.details(handle).namedCurve);
    bytes = material.numbers(handle, ['priv'], size)[0];
  } else if (isRaw(algorithm)) {
    bytes = material.rawPrivate(handle);
  } else {
    throw unsuitable();
  }
  if (bytes === undefined) throw new ERR_CRYPTO_OPERATION_FAILED('Failed to get raw private key');
  return new FastBuffer(bytes);
}

function exportRawSeed(handle) {
  if (!isSeeded(binding.algorithm(handle))) throw unsuitable();
  const seed = material.rawSeed(handle);
  if (seed === undefined) throw new ERR_CRYPTO_OPERATION_FAILED('Failed to get raw seed');
  return new FastBuffer(seed);
}

function write(handle, isPrivate, { format, structure, cipher, passphrase }) {
  const result = binding.write(
    handle, isPrivate, format === 'der' ? binding.kFormatDer : binding.kFormatPem, structure, cipher, passphrase);
  if (result === null) throw new ERR_CRYPTO_UNKNOWN_CIPHER();
  return typeof result === 'string' ? result : new FastBuffer(result);
}

// Encodes a key as readEncoding() has described it.
function encode(handle, isPrivate, encoding) {
  switch (encoding.format) {
    case 'jwk': return exportJwk(isPrivate ? handle : binding.asPublic(handle));
    case 'raw-public': return exportRawPublic(handle, encoding.form);
    case 'raw-private': return exportRawPrivate(handle);
    case 'raw-seed': return exportRawSeed(handle);
    default: return write(handle, isPrivate, encoding);
  }
}

function exportPublic(handle, options) {
  switch (options?.format) {
    case 'jwk': return exportJwk(handle);
    case 'raw-public': {
      let form = material.kUncompressed;
      if (binding.algorithm(handle) === 'ec') {
        const { type = 'uncompressed' } = options;
        validateOneOf(type, 'options.type', ['compressed', 'uncompressed']);
        if (type === 'compressed') form = material.kCompressed;
      }
      return exportRawPublic(handle, form);
    }
    default: return write(handle, false, readEncoding(options, binding.algorithm(handle), kPublic));
  }
}

function exportPrivate(handle, options) {
  if (options?.passphrase !== undefined && options.format !== 'pem' && options.format !== 'der') {
    throw new ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(options.format, 'does not support encryption');
  }
  switch (options?.format) {
    case 'jwk': return exportJwk(handle);
    case 'raw-private': return exportRawPrivate(handle);
    case 'raw-seed': return exportRawSeed(handle);
    default: return write(handle, true, readEncoding(options, binding.algorithm(handle), kPrivate));
  }
}

module.exports = {
  checkCipher,
  encode,
  exportPrivate,
  exportPublic,
  isStringOrBytes,
  kPrivate,
  kPublic,
  optionName,
  readEncoding,
  readFormat,
};
