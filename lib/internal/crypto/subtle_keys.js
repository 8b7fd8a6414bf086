'use strict';

// The methods of crypto.subtle for secret keys: HMAC, AES, ChaCha20-Poly1305, PBKDF2, HKDF and Argon2.

const {
  ArrayIsArray,
  ArrayPrototypeIncludes,
  JSONParse,
  JSONStringify,
  MathCeil,
  Promise,
  SafeSet,
  StringPrototypeStartsWith,
  StringPrototypeToLowerCase,
  TypedArrayPrototypeSlice,
  Uint8Array,
} = primordials;

const { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } = require('internal/errors').codes;
const { argon2, hkdf, pbkdf2 } = require('internal/crypto/derive');
const { createHmac } = require('internal/crypto/hash');
const { isCryptoKey, keyObjectOf, makeCryptoKey } = require('internal/crypto/web_key');
const { createSecretKey } = require('internal/crypto/keys');
const { randomBytes } = require('internal/crypto/random');
const { cipherAlgorithm, ciphers, runCipher, warnOfCipher } = require('internal/crypto/subtle_cipher');
const {
  dataOf, exception, missingOption, normalize, operationError, paramOf, toArrayBuffer, unrecognized, wrongArgument,
} = require('internal/crypto/subtle_convert');
const { Buffer } = require('buffer');
const { emitExperimentalWarning } = require('internal/util');
const { isArrayBuffer } = require('internal/util/types');

// Digests by Web Crypto's name: OpenSSL's name, the block size in bits, and the suffix of `alg` in JSON keys. The
// standard does not define the last two for SHA-3.
const digests = {
  '__proto__': null,
  'SHA-1': { name: 'sha1', block: 512, jwk: 'HS1' },
  'SHA-256': { name: 'sha256', block: 512, jwk: 'HS256' },
  'SHA-384': { name: 'sha384', block: 1024, jwk: 'HS384' },
  'SHA-512': { name: 'sha512', block: 1024, jwk: 'HS512' },
  'SHA3-256': { name: 'sha3-256', block: undefined, jwk: undefined },
  'SHA3-384': { name: 'sha3-384', block: undefined, jwk: undefined },
  'SHA3-512': { name: 'sha3-512', block: undefined, jwk: undefined },
};
const everyUsage = ['encrypt', 'decrypt', 'sign', 'verify', 'deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey'];
const signing = ['sign', 'verify'];
const deriving = ['deriveBits', 'deriveKey'];
const kChaChaBits = 256;
const formats = ['raw', 'raw-public', 'raw-secret', 'raw-seed', 'pkcs8', 'spki', 'jwk'];

function checkKey(key, method, position) {
  if (!isCryptoKey(key)) throw wrongArgument(ERR_INVALID_ARG_TYPE, method, position, ' is not of type CryptoKey.');
}

function checkFormat(format, method) {
  if (!ArrayPrototypeIncludes(formats, `${format}`)) {
    throw wrongArgument(ERR_INVALID_ARG_VALUE, method, 1, ` '${format}' is not a valid enum value of type KeyFormat.`);
  }
  return `${format}`;
}

function checkUsages(usages, method, position) {
  if (!ArrayIsArray(usages)) {
    throw wrongArgument(ERR_INVALID_ARG_TYPE, method, position, ' cannot be converted to sequence.');
  }
  for (let i = 0; i < usages.length; i++) {
    if (!ArrayPrototypeIncludes(everyUsage, usages[i])) {
      throw wrongArgument(ERR_INVALID_ARG_VALUE, method, position,
        `[${i}] '${usages[i]}' is not a valid enum value of type KeyUsage.`);
    }
  }
}

function hashOf(algorithm, params) {
  if (algorithm.hash === undefined) throw missingOption(params, 'hash');
  const { name } = normalize(algorithm.hash);
  if (!StringPrototypeStartsWith(name, 'SHA')) {
    throw exception(`Only SHA hashes are supported in ${params}`, 'NotSupportedError');
  }
  if (digests[name] === undefined) throw unrecognized();
  warnOfExperiment(name);
  return name;
}

function warnOfExperiment(name) {
  if (StringPrototypeStartsWith(name, 'SHA3')) emitExperimentalWarning(`The ${name} Web Crypto API algorithm`);
}

// Returns the default length in bits of an HMAC key.
function blockOf(hash) {
  const { block } = digests[hash];
  if (block === undefined) throw exception('Explicit algorithm length member is required', 'NotSupportedError');
  return block;
}

// Returns the usages that keys of this algorithm may have, and the name of such keys in errors.
function kindOf(name) {
  if (ciphers[name] !== undefined) return { usages: ciphers[name].usages, called: `${name} key` };
  if (name === 'HMAC') return { usages: signing, called: 'HMAC key' };
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
  if (name === 'ChaCha20-Poly1305') return 'C20P';
  return name === 'HMAC' ? digests[hash].jwk : `A${bits}${ciphers[name].jwk}`;
}

function bytesFromJwk(jwk, algorithm, extractable, usages) {
  if (typeof jwk !== 'object' || jwk === null || !jwk.kty) throw exception('Invalid keyData', 'DataError');
  if (jwk.kty !== 'oct') throw exception('Invalid JWK "kty" Parameter', 'DataError');
  if (usages.length > 0 && jwk.use !== undefined && jwk.use !== (algorithm.name === 'HMAC' ? 'sig' : 'enc')) {
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
  return format === 'raw-secret' || (format === 'raw' && !ciphers[name]?.isExperimental && !isArgon2(name));
}

function importSecret(format, data, algorithm, extractable, usages, method) {
  const { name } = algorithm;
  const isRaw = isRawFormat(format, name);
  warnOfCipher(name);
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
  const { name, hash } = key.algorithm;
  if (isDeriving(name)) throw exception(`${name} key export is not supported`, 'NotSupportedError');
  if (!key.extractable) throw exception('key is not extractable', 'InvalidAccessError');
  const bytes = keyObjectOf(key).export();
  if (isRawFormat(format, name)) return toArrayBuffer(bytes);
  if (format !== 'jwk') {
    throw exception(`Unable to export ${name} secret key using ${format} format`, 'NotSupportedError');
  }
  const result = {
    key_ops: key.usages, ext: true, alg: jwkName(name, bytes.length * 8, hash?.name), kty: 'oct',
    k: bytes.toString('base64url'),
  };
  if (result.alg === undefined) delete result.alg;
  return result;
}

function checkUse(key, name, usage, verb) {
  if (key.algorithm.name !== name) throw exception('Key algorithm mismatch', 'InvalidAccessError');
  if (!ArrayPrototypeIncludes(key.usages, usage)) {
    throw exception(`Unable to use this key to ${verb}`, 'InvalidAccessError');
  }
}

function hmac(key, data) {
  return createHmac(digests[key.algorithm.hash.name].name, keyObjectOf(key)).update(data).digest();
}

function makeSign(isVerify) {
  return (algorithm, key, data, signature) => {
    const { name } = normalize(algorithm);
    if (name !== 'HMAC') throw unrecognized();
    checkUse(key, name, isVerify ? 'verify' : 'sign', isVerify ? 'verify' : 'sign');
    const mac = hmac(key, data);
    if (!isVerify) return toArrayBuffer(mac);
    return mac.length === signature.length && require('crypto').timingSafeEqual(mac, signature);
  };
}
const signData = makeSign(false);
const verifyData = makeSign(true);

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
  if (isDeriving(name)) return null;
  throw unrecognized();
}

const methods = {
  async importKey(format, keyData, algorithm, extractable, keyUsages) {
    format = checkFormat(format, 'importKey');
    checkUsages(keyUsages, 'importKey', 5);
    return importSecret(format, keyData, normalize(algorithm), !!extractable, keyUsages, 'importKey');
  },

  async exportKey(format, key) {
    format = checkFormat(format, 'exportKey');
    checkKey(key, 'exportKey', 2);
    return exportSecret(format, key);
  },

  async generateKey(algorithm, extractable, keyUsages) {
    const normal = normalize(algorithm);
    checkUsages(keyUsages, 'generateKey', 3);
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
  },

  async sign(algorithm, key, data) {
    checkKey(key, 'sign', 2);
    return signData(algorithm, key, dataOf(data, 'sign', 3));
  },

  async verify(algorithm, key, signature, data) {
    checkKey(key, 'verify', 2);
    const given = dataOf(signature, 'verify', 3);
    return verifyData(algorithm, key, dataOf(data, 'verify', 4), given);
  },

  async encrypt(algorithm, key, data) {
    checkKey(key, 'encrypt', 2);
    const bytes = dataOf(data, 'encrypt', 3);
    const normal = cipherAlgorithm(algorithm);
    checkUse(key, normal.name, 'encrypt', 'encrypt');
    return toArrayBuffer(runCipher(true, normal, key, bytes));
  },

  async decrypt(algorithm, key, data) {
    checkKey(key, 'decrypt', 2);
    const bytes = dataOf(data, 'decrypt', 3);
    const normal = cipherAlgorithm(algorithm);
    checkUse(key, normal.name, 'decrypt', 'decrypt');
    return toArrayBuffer(runCipher(false, normal, key, bytes));
  },

  async deriveBits(algorithm, baseKey, length = null) {
    checkKey(baseKey, 'deriveBits', 2);
    const normal = normalize(algorithm);
    checkUse(baseKey, normal.name, 'deriveBits', 'deriveBits');
    return derive(normal, baseKey, length);
  },

  async deriveKey(algorithm, baseKey, derivedKeyType, extractable, keyUsages) {
    checkKey(baseKey, 'deriveKey', 2);
    checkUsages(keyUsages, 'deriveKey', 5);
    const normal = normalize(algorithm);
    const wanted = normalize(derivedKeyType);
    checkUse(baseKey, normal.name, 'deriveKey', 'deriveKey');
    const bits = await derive(normal, baseKey, keyLength(wanted));
    return importSecret('raw-secret', bits, wanted, !!extractable, keyUsages, 'deriveKey');
  },

  async wrapKey(format, key, wrappingKey, wrapAlgorithm) {
    format = checkFormat(format, 'wrapKey');
    checkKey(key, 'wrapKey', 2);
    checkKey(wrappingKey, 'wrapKey', 3);
    const normal = cipherAlgorithm(wrapAlgorithm);
    checkUse(wrappingKey, normal.name, 'wrapKey', 'wrapKey');
    const exported = exportSecret(format, key);
    let bytes = format === 'jwk' ? Buffer.from(JSONStringify(exported)) : new Uint8Array(exported);
    // AES-KW needs a multiple of 8 bytes. JSON may be padded with spaces.
    if (format === 'jwk' && normal.name === 'AES-KW' && bytes.length % 8 !== 0) {
      bytes = Buffer.concat([bytes, Buffer.alloc(8 - bytes.length % 8, ' ')]);
    }
    return toArrayBuffer(runCipher(true, normal, wrappingKey, bytes));
  },

  async unwrapKey(format, wrappedKey, unwrappingKey, unwrapAlgo, unwrappedKeyAlgo, extractable, keyUsages) {
    format = checkFormat(format, 'unwrapKey');
    const wrapped = dataOf(wrappedKey, 'unwrapKey', 2);
    checkKey(unwrappingKey, 'unwrapKey', 3);
    checkUsages(keyUsages, 'unwrapKey', 7);
    const normal = cipherAlgorithm(unwrapAlgo);
    checkUse(unwrappingKey, normal.name, 'unwrapKey', 'unwrapKey');
    let data = runCipher(false, normal, unwrappingKey, wrapped);
    if (format === 'jwk') {
      try {
        data = JSONParse(data.toString());
      } catch {
        throw exception('Invalid wrapped JWK key', 'DataError');
      }
    }
    return importSecret(format, data, normalize(unwrappedKeyAlgo), !!extractable, keyUsages, 'unwrapKey');
  },
};

// Implements KeyObject.prototype.toCryptoKey().
function fromKeyObject(keyObject, algorithm, extractable, usages) {
  checkUsages(usages, 'toCryptoKey', 3);
  return importSecret('raw-secret', keyObject.export(), normalize(algorithm), !!extractable, usages, 'toCryptoKey');
}

module.exports = { digests, fromKeyObject, methods, normalize, warnOfExperiment };
