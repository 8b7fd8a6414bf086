'use strict';

// The methods of crypto.subtle that need keys, for keys that are bytes: HMAC, AES, PBKDF2 and HKDF.

const {
  ArrayBufferIsView,
  ArrayIsArray,
  ArrayPrototypeIncludes,
  Error,
  JSONParse,
  JSONStringify,
  Promise,
  SafeSet,
  StringPrototypeToUpperCase,
  TypedArrayPrototypeSlice,
  Uint8Array,
} = primordials;

const {
  ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_MISSING_OPTION,
} = require('internal/errors').codes;
const { createCipheriv, createDecipheriv } = require('internal/crypto/cipher');
const { hkdf, pbkdf2 } = require('internal/crypto/derive');
const { createHmac } = require('internal/crypto/hash');
const { isCryptoKey, keyObjectOf, makeCryptoKey } = require('internal/crypto/crypto_key');
const { createSecretKey } = require('internal/crypto/keys');
const { randomBytes } = require('internal/crypto/random');
const { Buffer } = require('buffer');
const { lazyDOMException } = require('internal/util');
const { isArrayBuffer } = require('internal/util/types');

// By the name that Web Crypto has for a digest: OpenSSL's, the size of its blocks in bits, and the letters for keys in JSON.
const digests = {
  '__proto__': null,
  'SHA-1': { name: 'sha1', block: 512, jwk: 'HS1' },
  'SHA-256': { name: 'sha256', block: 512, jwk: 'HS256' },
  'SHA-384': { name: 'sha384', block: 1024, jwk: 'HS384' },
  'SHA-512': { name: 'sha512', block: 1024, jwk: 'HS512' },
};
const aes = {
  '__proto__': null,
  'AES-CBC': { mode: 'cbc', jwk: 'CBC', params: 'AesCbcParams', usages: ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'] },
  'AES-CTR': { mode: 'ctr', jwk: 'CTR', params: 'AesCtrParams', usages: ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'] },
  'AES-GCM': { mode: 'gcm', jwk: 'GCM', params: 'AesGcmParams', usages: ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'] },
  'AES-KW': { mode: 'wrap', jwk: 'KW', params: 'Algorithm', usages: ['wrapKey', 'unwrapKey'] },
};
const everyUsage = ['encrypt', 'decrypt', 'sign', 'verify', 'deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey'];
const signing = ['sign', 'verify'];
const deriving = ['deriveBits', 'deriveKey'];
const formats = ['raw', 'pkcs8', 'spki', 'jwk'];
const tagLengths = [32, 64, 96, 104, 112, 120, 128];
const wrapVector = Buffer.alloc(8, 0xa6);

function exception(message, name) {
  return lazyDOMException(message, name);
}
const unrecognized = () => exception('Unrecognized algorithm name', 'NotSupportedError');

function operationError(cause) {
  const error = exception('The operation failed for an operation-specific reason', 'OperationError');
  if (cause !== undefined) error.cause = cause;
  return error;
}

function missingOption(params, option) {
  const error = new ERR_MISSING_OPTION('');
  error.message = `Failed to normalize algorithm: passed algorithm can not be converted to '${params}' because ` +
    `'${option}' is required in '${params}'.`;
  return error;
}

const ordinals = ['', '1st', '2nd', '3rd', '4th', '5th', '6th', '7th'];
function wrongArgument(Class, method, position, complaint) {
  const error = new Class('', '');
  error.message = `Failed to execute '${method}' on 'SubtleCrypto': ${ordinals[position]} argument${complaint}`;
  return error;
}

function checkKey(key, method, position) {
  if (!isCryptoKey(key)) throw wrongArgument(ERR_INVALID_ARG_TYPE, method, position, ' is not of type CryptoKey.');
}

function checkFormat(format, method) {
  if (!ArrayPrototypeIncludes(formats, `${format}`)) {
    throw wrongArgument(ERR_INVALID_ARG_VALUE, method, 1, ` value '${format}' is not a valid enum value of type KeyFormat.`);
  }
  return `${format}`;
}

function checkUsages(usages, method, position) {
  if (!ArrayIsArray(usages)) {
    throw wrongArgument(ERR_INVALID_ARG_TYPE, method, position, ' can not be converted to sequence.');
  }
  for (let i = 0; i < usages.length; i++) {
    if (!ArrayPrototypeIncludes(everyUsage, usages[i])) {
      throw wrongArgument(ERR_INVALID_ARG_VALUE, method, position,
        `, index ${i} value '${usages[i]}' is not a valid enum value of type KeyUsage.`);
    }
  }
}

// A copy: the caller may change the bytes as soon as the call returns.
function bytesOf(value, describe) {
  if (ArrayBufferIsView(value)) {
    return TypedArrayPrototypeSlice(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  }
  if (isArrayBuffer(value)) return TypedArrayPrototypeSlice(new Uint8Array(value));
  throw describe();
}

function dataOf(value, method, position) {
  return bytesOf(value, () => wrongArgument(ERR_INVALID_ARG_TYPE, method, position,
    ' is not instance of ArrayBuffer, Buffer, TypedArray, or DataView.'));
}

function paramOf(algorithm, option, params) {
  const value = algorithm[option];
  if (value === undefined) throw missingOption(params, option);
  return bytesOf(value, () => {
    const error = new ERR_INVALID_ARG_TYPE(option, 'BufferSource', value);
    error.message = `Failed to normalize algorithm: '${option}' of '${params}' (passed algorithm) is not instance of ` +
      'ArrayBuffer, Buffer, TypedArray, or DataView.';
    return error;
  });
}

// {name, ...} with the name as the standard writes it.
function normalize(algorithm) {
  if (algorithm === null || algorithm === undefined || (typeof algorithm !== 'object' && typeof algorithm !== 'function')) {
    return { name: StringPrototypeToUpperCase(`${algorithm}`) };
  }
  const { name } = algorithm;
  if (name === undefined) throw missingOption('Algorithm', 'name');
  return { __proto__: algorithm, name: StringPrototypeToUpperCase(`${name}`) };
}

function hashOf(algorithm, params) {
  if (algorithm.hash === undefined) throw missingOption(params, 'hash');
  const { name } = normalize(algorithm.hash);
  if (digests[name] === undefined) throw unrecognized();
  return name;
}

function toArrayBuffer(buffer) {
  return TypedArrayPrototypeSlice(new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)).buffer;
}

// What a key of this algorithm may be used for, and what errors call it.
function kindOf(name) {
  if (aes[name] !== undefined) return { usages: aes[name].usages, called: 'an AES key' };
  if (name === 'HMAC') return { usages: signing, called: 'an HMAC key' };
  if (name === 'PBKDF2') return { usages: deriving, called: 'a PBKDF2 key' };
  if (name === 'HKDF') return { usages: deriving, called: 'an HKDF key' };
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
  return name === 'HMAC' ? digests[hash].jwk : `A${bits}${aes[name].jwk}`;
}

function bytesFromJwk(jwk, algorithm, extractable, usages) {
  if (typeof jwk !== 'object' || jwk === null) throw exception('Invalid keyData', 'DataError');
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

function importSecret(format, data, algorithm, extractable, usages, method) {
  const { name } = algorithm;
  checkUsagesOf(name, usages);
  if (name === 'PBKDF2' || name === 'HKDF') {
    if (extractable) throw exception(`${name} keys are not extractable`, 'SyntaxError');
    if (format !== 'raw') throw exception(`Unable to import ${name} key with format ${format}`, 'NotSupportedError');
    if (usages.length === 0) throw exception('Usages cannot be empty when importing a secret key.', 'SyntaxError');
    return makeCryptoKey(createSecretKey(dataOf(data, method, 2)), { name }, usages, false);
  }
  const hash = name === 'HMAC' ? hashOf(algorithm, 'HmacImportParams') : undefined;
  let bytes;
  if (format === 'raw') {
    bytes = dataOf(data, method, 2);
  } else if (format === 'jwk') {
    bytes = bytesFromJwk(data, algorithm, extractable, usages);
  } else {
    throw exception(`Unable to import ${name === 'HMAC' ? 'HMAC' : 'AES'} key with format ${format}`, 'NotSupportedError');
  }
  const bits = bytes.length * 8;
  let made;
  if (name === 'HMAC') {
    if (bits === 0) throw exception('Zero-length key is not supported', 'DataError');
    if (algorithm.length !== undefined && algorithm.length !== bits) throw exception('Invalid key length', 'DataError');
    made = { name, hash: { name: hash }, length: bits };
  } else {
    if (bits !== 128 && bits !== 192 && bits !== 256) throw exception('Invalid key length', 'DataError');
    made = { name, length: bits };
  }
  if (format === 'jwk' && data.alg !== undefined && data.alg !== jwkName(name, bits, hash)) {
    throw exception('JWK "alg" does not match the requested algorithm', 'DataError');
  }
  if (usages.length === 0) throw exception('Usages cannot be empty when importing a secret key.', 'SyntaxError');
  return makeCryptoKey(createSecretKey(bytes), made, usages, extractable);
}

function exportSecret(format, key) {
  if (!key.extractable) throw exception('key is not extractable', 'InvalidAccessException');
  const bytes = keyObjectOf(key).export();
  const { name, hash } = key.algorithm;
  if (format === 'raw') return toArrayBuffer(bytes);
  if (format !== 'jwk') throw exception(`Unable to export a raw ${name} secret key`, 'InvalidAccessError');
  return {
    key_ops: key.usages, ext: true, kty: 'oct', k: bytes.toString('base64url'), alg: jwkName(name, bytes.length * 8, hash?.name),
  };
}

function checkUse(key, name, usage, verb) {
  if (key.algorithm.name !== name) throw exception('Key algorithm mismatch', 'InvalidAccessError');
  if (!ArrayPrototypeIncludes(key.usages, usage)) throw exception(`Unable to use this key to ${verb}`, 'InvalidAccessError');
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

function checkTagLength(algorithm) {
  const { tagLength = 128 } = algorithm;
  if (!ArrayPrototypeIncludes(tagLengths, tagLength)) {
    throw exception(`${tagLength} is not a valid AES-GCM tag length`, 'OperationError');
  }
  return tagLength / 8;
}

// The counter takes the last `length` bits of its 16 bytes and wraps around within them, which OpenSSL's does only for all
// 128: at the wrap a new cipher begins.
function counterParts(counter, length, size) {
  const blocks = (size + 15) / 16 | 0;
  let left = 0n;
  for (let i = 0; i < 16; i++) left = (left << 8n) | BigInt(counter[i]);
  const most = 1n << BigInt(length);
  if (BigInt(blocks) > most) throw operationError(new Error('Invalid counter length'));
  const untilWrap = most - (left & (most - 1n));
  if (BigInt(blocks) <= untilWrap) return [{ counter, from: 0, to: size }];
  const cut = Number(untilWrap) * 16;
  let start = left & ~(most - 1n);
  const wrapped = new Uint8Array(16);
  for (let i = 15; i >= 0; i--, start >>= 8n) wrapped[i] = Number(start & 255n);
  return [{ counter, from: 0, to: cut }, { counter: wrapped, from: cut, to: size }];
}

function runCounter(cipherName, bytes, algorithm, data) {
  const counter = paramOf(algorithm, 'counter', 'AesCtrParams');
  if (algorithm.length === undefined) throw missingOption('AesCtrParams', 'length');
  if (counter.length !== 16) throw exception('algorithm.counter must contain exactly 16 bytes', 'OperationError');
  const { length } = algorithm;
  if (!(length >= 1 && length <= 128)) throw exception('AES-CTR algorithm.length must be between 1 and 128', 'OperationError');
  const out = [];
  for (const part of counterParts(counter, length, data.length)) {
    const cipher = createCipheriv(cipherName, bytes, part.counter);
    out.push(cipher.update(data.subarray(part.from, part.to)), cipher.final());
  }
  return Buffer.concat(out);
}

function runCipher(isEncrypt, algorithm, key, data) {
  const { name } = algorithm;
  const { mode, params } = aes[name];
  const bytes = keyObjectOf(key).export();
  const cipherName = mode === 'wrap' ? `id-aes${bytes.length * 8}-wrap` : `aes-${bytes.length * 8}-${mode}`;
  if (mode === 'ctr') return runCounter(cipherName, bytes, algorithm, data);
  let iv = wrapVector;
  let tagBytes = 0;
  const options = {};
  if (mode !== 'wrap') iv = paramOf(algorithm, 'iv', params);
  if (mode === 'cbc' && iv.length !== 16) throw exception('algorithm.iv must contain exactly 16 bytes', 'OperationError');
  if (mode === 'gcm') {
    tagBytes = options.authTagLength = checkTagLength(algorithm);
    if (!isEncrypt && data.length < tagBytes) throw exception('The provided data is too small.', 'OperationError');
  }
  try {
    const cipher = (isEncrypt ? createCipheriv : createDecipheriv)(cipherName, bytes, iv, options);
    if (mode === 'gcm' && algorithm.additionalData !== undefined) cipher.setAAD(paramOf(algorithm, 'additionalData', params));
    if (isEncrypt) {
      const out = [cipher.update(data), cipher.final()];
      if (mode === 'gcm') out.push(cipher.getAuthTag());
      return Buffer.concat(out);
    }
    if (mode === 'gcm') cipher.setAuthTag(data.subarray(data.length - tagBytes));
    return Buffer.concat([cipher.update(data.subarray(0, data.length - tagBytes)), cipher.final()]);
  } catch (error) {
    if (error.name === 'OperationError') throw error;
    throw operationError(error);
  }
}

function cipherAlgorithm(algorithm) {
  const normal = normalize(algorithm);
  if (aes[normal.name] === undefined) throw unrecognized();
  return normal;
}

function derive(algorithm, key, length) {
  const { name } = algorithm;
  if (name !== 'PBKDF2' && name !== 'HKDF') throw unrecognized();
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

// How many bits a key of this algorithm has.
function keyLength(algorithm) {
  const { name } = algorithm;
  if (aes[name] !== undefined) {
    if (algorithm.length === undefined) throw missingOption('AesDerivedKeyParams', 'length');
    if (algorithm.length !== 128 && algorithm.length !== 192 && algorithm.length !== 256) {
      throw exception('Invalid key length', 'OperationError');
    }
    return algorithm.length;
  }
  if (name === 'HMAC') return algorithm.length ?? digests[hashOf(algorithm, 'HmacImportParams')].block;
  if (name === 'PBKDF2' || name === 'HKDF') return null;
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
    if (aes[name] !== undefined) {
      if (normal.length === undefined) throw missingOption('AesKeyGenParams', 'length');
      if (normal.length !== 128 && normal.length !== 192 && normal.length !== 256) {
        throw exception('AES key length must be 128, 192, or 256 bits', 'OperationError');
      }
      made = { name, length: normal.length };
    } else if (name === 'HMAC') {
      const hash = hashOf(normal, 'HmacKeyGenParams');
      made = { name, length: normal.length ?? digests[hash].block, hash: { name: hash } };
      if (!(made.length >= 8 && made.length <= 2 ** 31 - 1)) throw operationError();
    } else {
      throw unrecognized();
    }
    checkUsagesOf(name, keyUsages);
    if (keyUsages.length === 0) throw exception('Usages cannot be empty when creating a key.', 'SyntaxError');
    return makeCryptoKey(createSecretKey(randomBytes(made.length >> 3)), made, keyUsages, extractable);
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
    return importSecret('raw', bits, wanted, !!extractable, keyUsages, 'deriveKey');
  },

  async wrapKey(format, key, wrappingKey, wrapAlgorithm) {
    format = checkFormat(format, 'wrapKey');
    checkKey(key, 'wrapKey', 2);
    checkKey(wrappingKey, 'wrapKey', 3);
    const normal = cipherAlgorithm(wrapAlgorithm);
    checkUse(wrappingKey, normal.name, 'wrapKey', 'wrapKey');
    const exported = exportSecret(format, key);
    let bytes = format === 'jwk' ? Buffer.from(JSONStringify(exported)) : new Uint8Array(exported);
    // Key wrapping takes multiples of 8 bytes; spaces do not change the meaning of JSON.
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

module.exports = { digests, methods, normalize };
