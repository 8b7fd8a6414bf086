'use strict';

// Web Crypto for secret keys: HMAC, AES, ChaCha20-Poly1305, PBKDF2, HKDF and Argon2.

const {
  ArrayIsArray,
  ArrayPrototypeIncludes,
  ArrayPrototypeSlice,
  MathCeil,
  Promise,
  SafeSet,
  StringPrototypeSlice,
  StringPrototypeToLowerCase,
  TypedArrayPrototypeSlice,
  Uint8Array,
} = primordials;

const { argon2, hkdf, pbkdf2 } = require('internal/crypto/derive');
const { createHmac } = require('internal/crypto/hash');
const { algorithmOf, isExtractable, keyObjectOf, makeCryptoKey, usagesOf } = require('internal/crypto/web_key');
const { createSecretKey } = require('internal/crypto/keys');
const { kmac } = require('internal/crypto/mac');
const { randomBytes } = require('internal/crypto/random');
const { ciphers, warnOfCipher } = require('internal/crypto/subtle_cipher');
const {
  dataOf, exception, missingOption, operationError, paramOf, toArrayBuffer, unrecognized,
} = require('internal/crypto/subtle_convert');
const { blockOf, digests, hashOf } = require('internal/crypto/subtle_hash');
const { Buffer } = require('buffer');
const { emitExperimentalWarning } = require('internal/util');
const { isArrayBuffer } = require('internal/util/types');

const { equal } = internalBinding('crypto_random');

const signing = ['sign', 'verify'];
const deriving = ['deriveBits', 'deriveKey'];
const kChaChaBits = 256;

// The default length in bits of keys of KMAC.
const kmacBits = { __proto__: null, KMAC128: 128, KMAC256: 256 };

const isKmac = (name) => kmacBits[name] !== undefined;
const isMac = (name) => name === 'HMAC' || isKmac(name);

function warnOfKmac(name) {
  if (isKmac(name)) emitExperimentalWarning(`The ${name} Web Crypto API algorithm`);
}

// Returns the usages that keys of this algorithm may have, and the name of such keys in errors.
function kindOf(name) {
  if (ciphers[name] !== undefined) return { usages: ciphers[name].usages, called: `${name} key` };
  if (isMac(name)) return { usages: signing, called: `${name} key` };
  if (isDeriving(name)) return { usages: deriving, called: `a ${name} key` };
  throw unrecognized();
}

function checkUsagesOf(name, usages) {
  const kind = kindOf(name);
  for (let i = 0; i < usages.length; i++) {
    if (!ArrayPrototypeIncludes(kind.usages, usages[i])) {
      throw exception(`Unsupported key usage for ${kind.called}`, 'SyntaxError');
    }
  }
}

function jwkName(name, bits, hash) {
  if (isKmac(name)) return `K${StringPrototypeSlice(name, 4)}`;
  if (name === 'ChaCha20-Poly1305') return 'C20P';
  return name === 'HMAC' ? digests[hash].jwk : `A${bits}${ciphers[name].jwk}`;
}

function bytesFromJwk(jwk, algorithm, extractable, usages) {
  if (typeof jwk !== 'object' || jwk === null || !jwk.kty) throw exception('Invalid keyData', 'DataError');
  if (jwk.kty !== 'oct') throw exception('Invalid JWK "kty" Parameter', 'DataError');
  if (usages.length > 0 && jwk.use !== undefined && jwk.use !== (isMac(algorithm.name) ? 'sig' : 'enc')) {
    throw exception('Invalid JWK "use" Parameter', 'DataError');
  }
  if (jwk.key_ops !== undefined) {
    if (!ArrayIsArray(jwk.key_ops)) throw exception('Invalid JWK "key_ops" Parameter', 'DataError');
    const allowed = new SafeSet(jwk.key_ops);
    if (allowed.size !== jwk.key_ops.length) throw exception('Duplicate key operation', 'DataError');
    for (let i = 0; i < usages.length; i++) {
      if (!allowed.has(usages[i])) throw exception('Key operations and usage mismatch', 'DataError');
    }
  }
  if (jwk.ext !== undefined && jwk.ext === false && extractable === true) {
    throw exception('JWK "ext" Parameter and extractable mismatch', 'DataError');
  }
  if (typeof jwk.k !== 'string') throw exception('Invalid keyData', 'DataError');
  return Buffer.from(jwk.k, 'base64url');
}

// Returns the first `bits` bits of the bytes. Excess bits of the last byte become zero.
function truncate(bytes, bits) {
  if (bits % 8 === 0) return bytes;
  const result = TypedArrayPrototypeSlice(bytes);
  result[result.length - 1] &= 0xff << (8 - bits % 8);
  return result;
}

function isRawFormat(format, name) {
  if (format !== 'raw') return format === 'raw-secret';
  return !ciphers[name]?.isExperimental && !isArgon2(name) && !isKmac(name);
}

function importSecret(format, data, algorithm, extractable, usages, method) {
  const { name } = algorithm;
  const isRaw = isRawFormat(format, name);
  warnOfCipher(name);
  warnOfKmac(name);
  if (isDeriving(name)) {
    warnOfArgon2(name);
    if (extractable) throw exception(`${name} keys are not extractable`, 'SyntaxError');
    checkUsagesOf(name, usages);
    if (!isRaw) throw exception(`Unable to import ${name} using ${format} format`, 'NotSupportedError');
    if (usages.length === 0) throw exception('Usages cannot be empty when importing a secret key.', 'SyntaxError');
    return makeCryptoKey(createSecretKey(dataOf(data, method, 2)), { name }, usages, false);
  }
  const hash = name === 'HMAC' ? hashOf(algorithm, 'HmacImportParams') : undefined;
  if (name === 'HMAC' && algorithm.length === 0) throw exception('HmacImportParams.length cannot be 0', 'DataError');
  checkUsagesOf(name, usages);
  let bytes;
  if (isRaw) {
    bytes = dataOf(data, method, 2);
  } else if (format === 'jwk') {
    bytes = bytesFromJwk(data, algorithm, extractable, usages);
  } else {
    throw exception(`Unable to import ${name} using ${format} format`, 'NotSupportedError');
  }
  const bits = bytes.length * 8;
  let made;
  if (name === 'HMAC') {
    if (bits === 0) throw exception('Zero-length key is not supported', 'DataError');
    const { length = bits } = algorithm;
    if (MathCeil(length / 8) !== bytes.length) throw exception('Invalid key length', 'DataError');
    bytes = truncate(bytes, length);
    made = { name, length, hash: { name: hash } };
  } else if (isKmac(name)) {
    const { length = bits } = algorithm;
    if (MathCeil(length / 8) !== bytes.length) throw exception('Invalid key length', 'DataError');
    bytes = truncate(bytes, length);
    made = { name, length };
  } else if (name === 'ChaCha20-Poly1305') {
    if (bits !== kChaChaBits) throw exception('Invalid key length', 'DataError');
    made = { name };
  } else {
    if (bits !== 128 && bits !== 192 && bits !== 256) throw exception('Invalid key length', 'DataError');
    made = { name, length: bits };
  }
  const letters = format === 'jwk' && data.alg !== undefined ? jwkName(name, bits, hash) : undefined;
  if (letters !== undefined && data.alg !== letters) {
    throw exception('JWK "alg" does not match the requested algorithm', 'DataError');
  }
  if (usages.length === 0) throw exception('Usages cannot be empty when importing a secret key.', 'SyntaxError');
  return makeCryptoKey(createSecretKey(bytes), made, usages, extractable);
}

function exportSecret(format, key) {
  const { name, hash } = algorithmOf(key);
  if (isDeriving(name)) throw exception(`${name} key export is not supported`, 'NotSupportedError');
  if (!isExtractable(key)) throw exception('key is not extractable', 'InvalidAccessError');
  const bytes = keyObjectOf(key).export();
  if (isRawFormat(format, name)) return toArrayBuffer(bytes);
  if (format !== 'jwk') {
    throw exception(`Unable to export ${name} secret key using ${format} format`, 'NotSupportedError');
  }
  const result = {
    key_ops: ArrayPrototypeSlice(usagesOf(key)),
    ext: true,
    alg: jwkName(name, bytes.length * 8, hash?.name),
    kty: 'oct',
    k: bytes.toString('base64url'),
  };
  if (result.alg === undefined) delete result.alg;
  return result;
}

function hmac(key, data) {
  return createHmac(digests[algorithmOf(key).hash.name].name, keyObjectOf(key)).update(data).digest();
}

// Returns the parameters of a signature.
function readMac(algorithm) {
  const { name } = algorithm;
  if (!isKmac(name)) return { name };
  warnOfKmac(name);
  const customization =
    algorithm.customization === undefined ? undefined : paramOf(algorithm, 'customization', 'KmacParams');
  const { outputLength } = algorithm;
  if (outputLength === undefined) throw missingOption('KmacParams', 'outputLength');
  return { name, customization, outputLength: +outputLength >>> 0 };
}

function macOf({ name, customization, outputLength }, key, data) {
  if (name === 'HMAC') return hmac(key, data);
  let mac;
  try {
    mac = kmac(name, keyObjectOf(key).export(), data, customization, MathCeil(outputLength / 8));
  } catch (error) {
    throw operationError(error);
  }
  return truncate(mac, outputLength);
}

function signData(params, key, data) {
  return toArrayBuffer(macOf(params, key, data));
}

function verifyData(params, key, data, signature) {
  const mac = macOf(params, key, data);
  return mac.length === signature.length && equal(mac, signature);
}

function isArgon2(name) {
  return name === 'Argon2d' || name === 'Argon2i' || name === 'Argon2id';
}

function isDeriving(name) {
  return name === 'PBKDF2' || name === 'HKDF' || isArgon2(name);
}

function warnOfArgon2(name) {
  if (isArgon2(name)) emitExperimentalWarning(`The ${name} Web Crypto API algorithm`);
}

function argon2Number(algorithm, option, least, complaint) {
  const value = algorithm[option];
  if (value === undefined) throw missingOption('Argon2Params', option);
  if (!(value >= least)) throw exception(complaint, 'OperationError');
  return value;
}

function deriveArgon2(algorithm, key, length) {
  warnOfArgon2(algorithm.name);
  const params = 'Argon2Params';
  const optional = (option) => (algorithm[option] === undefined ? undefined : paramOf(algorithm, option, params));
  const nonce = paramOf(algorithm, 'nonce', params);
  if (nonce.length < 8) throw exception('nonce must be at least 8 bytes', 'OperationError');
  const lanes = 'parallelism must be > 0 and <= 16777215';
  const parallelism = argon2Number(algorithm, 'parallelism', 1, lanes);
  const memory = argon2Number(
    algorithm, 'memory', 8 * parallelism, 'memory must be at least 8 times the degree of parallelism');
  if (parallelism > 2 ** 24 - 1) throw exception(lanes, 'OperationError');
  const passes = argon2Number(algorithm, 'passes', 1, 'passes must be > 0');
  if (algorithm.version !== undefined && algorithm.version !== 0x13) {
    throw exception(`${algorithm.version} is not a valid Argon2 version`, 'OperationError');
  }
  const secret = optional('secretValue');
  const associatedData = optional('associatedData');
  if (length === null || length === undefined) throw exception('length cannot be null', 'OperationError');
  if (length % 8 !== 0) throw exception('length must be a multiple of 8', 'OperationError');
  if (length < 32) throw exception('length must be >= 32', 'OperationError');
  const message = keyObjectOf(key).export();
  return new Promise((resolve, reject) => {
    argon2(StringPrototypeToLowerCase(algorithm.name), {
      message, nonce, parallelism, memory, passes, tagLength: length / 8, secret, associatedData,
    }, (error, bytes) => {
      if (error) reject(operationError(error));
      else resolve(toArrayBuffer(bytes));
    });
  });
}

function derive(algorithm, key, length) {
  const { name } = algorithm;
  if (isArgon2(name)) return deriveArgon2(algorithm, key, length);
  if (!isDeriving(name)) throw unrecognized();
  const hash = hashOf(algorithm, name === 'HKDF' ? 'HkdfParams' : 'Pbkdf2Params');
  const salt = paramOf(algorithm, 'salt', name === 'HKDF' ? 'HkdfParams' : 'Pbkdf2Params');
  if (name === 'PBKDF2') {
    if (algorithm.iterations === undefined) throw missingOption('Pbkdf2Params', 'iterations');
    if (algorithm.iterations === 0) throw exception('iterations cannot be zero', 'OperationError');
  }
  const info = name === 'HKDF' ? paramOf(algorithm, 'info', 'HkdfParams') : undefined;
  if (length === null || length === undefined) throw exception('length cannot be null', 'OperationError');
  if (length % 8 !== 0) throw exception('length must be a multiple of 8', 'OperationError');
  return new Promise((resolve, reject) => {
    const done = (error, bytes) => {
      if (error) reject(operationError(error));
      else resolve(isArrayBuffer(bytes) ? bytes : toArrayBuffer(bytes));
    };
    const bytes = keyObjectOf(key);
    if (length === 0) done(null, new Uint8Array(0));
    else if (name === 'HKDF') hkdf(digests[hash].name, bytes, salt, info, length / 8, done);
    else pbkdf2(bytes.export(), salt, algorithm.iterations, length / 8, digests[hash].name, done);
  });
}

// Returns the length in bits of a key of this algorithm.
function keyLength(algorithm) {
  const { name } = algorithm;
  if (name === 'ChaCha20-Poly1305') return kChaChaBits;
  if (ciphers[name] !== undefined) {
    if (algorithm.length === undefined) throw missingOption('AesDerivedKeyParams', 'length');
    if (algorithm.length !== 128 && algorithm.length !== 192 && algorithm.length !== 256) {
      throw exception('Invalid key length', 'OperationError');
    }
    return algorithm.length;
  }
  if (name === 'HMAC') return algorithm.length ?? blockOf(hashOf(algorithm, 'HmacImportParams'));
  if (isKmac(name)) return algorithm.length ?? kmacBits[name];
  if (isDeriving(name)) return null;
  throw unrecognized();
}

// Generates a secret key.
function generateSecret(normal, extractable, keyUsages) {
  const { name } = normal;
  let made;
  warnOfCipher(name);
  if (name === 'ChaCha20-Poly1305') {
    made = { name };
  } else if (ciphers[name] !== undefined) {
    if (normal.length === undefined) throw missingOption('AesKeyGenParams', 'length');
    if (normal.length !== 128 && normal.length !== 192 && normal.length !== 256) {
      throw exception('AES key length must be 128, 192, or 256 bits', 'OperationError');
    }
    made = { name, length: normal.length };
  } else if (isKmac(name)) {
    warnOfKmac(name);
    made = { name, length: normal.length ?? kmacBits[name] };
  } else if (name === 'HMAC') {
    const hash = hashOf(normal, 'HmacKeyGenParams');
    made = { name, length: normal.length ?? blockOf(hash), hash: { name: hash } };
    if (made.length === 0) throw exception('HmacKeyGenParams.length cannot be 0', 'OperationError');
    if (!(made.length >= 1 && made.length <= 2 ** 31 - 1)) throw operationError();
  } else {
    throw unrecognized();
  }
  checkUsagesOf(name, keyUsages);
  if (keyUsages.length === 0) throw exception('Usages cannot be empty when creating a key.', 'SyntaxError');
  const { length = kChaChaBits } = made;
  return makeCryptoKey(createSecretKey(truncate(randomBytes(MathCeil(length / 8)), length)), made, keyUsages,
    extractable);
}

module.exports = {
  derive, exportSecret, generateSecret, importSecret, isDeriving, isMac, keyLength, readMac, signData, verifyData,
};
