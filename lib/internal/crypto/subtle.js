'use strict';

// The methods of crypto.subtle that use keys. Each converts its arguments as Web IDL specifies.

const { ArrayIsArray, ArrayPrototypeIncludes, JSONParse, JSONStringify, Uint8Array } = primordials;

const { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } = require('internal/errors').codes;
const { partsOf, typeOf } = require('internal/crypto/keys');
const { algorithms, exportPair, fromHandle, generatePair, importPair, warnOf } =
  require('internal/crypto/subtle_asymmetric');
const { cipherAlgorithm, ciphers, runCipher } = require('internal/crypto/subtle_cipher');
const {
  dataOf, exception, normalize, toArrayBuffer, unrecognized, wrongArgument,
} = require('internal/crypto/subtle_convert');
const {
  derive, exportSecret, generateSecret, importSecret, isDeriving, isMac, keyLength, readMac, signData, verifyData,
} = require('internal/crypto/subtle_keys');
const {
  agree, decapsulate, encapsulate, readLabel, readPeer, readSigning, runOaep, signOrVerify,
} = require('internal/crypto/subtle_operations');
const { algorithmOf, cryptoKeyType, isCryptoKey, keyObjectOf, usagesOf } = require('internal/crypto/web_key');
const { Buffer } = require('buffer');
const { emitExperimentalWarning } = require('internal/util');

const binding = internalBinding('crypto_keys');

const everyUsage = [
  'encrypt', 'decrypt', 'sign', 'verify', 'deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey', 'encapsulateBits',
  'decapsulateBits', 'encapsulateKey', 'decapsulateKey',
];
const formats = ['raw', 'raw-public', 'raw-private', 'raw-secret', 'raw-seed', 'pkcs8', 'spki', 'jwk'];

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

function checkUse(key, name, usage, verb) {
  if (algorithmOf(key).name !== name) throw exception('Key algorithm mismatch', 'InvalidAccessError');
  if (!ArrayPrototypeIncludes(usagesOf(key), usage)) {
    throw exception(`Unable to use this key to ${verb}`, 'InvalidAccessError');
  }
}

const isPair = (name) => algorithms[name] !== undefined;

function importAny(format, data, algorithm, extractable, usages, method) {
  if (isPair(algorithm.name)) return importPair(format, data, algorithm, extractable, usages, method);
  return importSecret(format, data, algorithm, extractable, usages, method);
}

function exportAny(format, key) {
  return isPair(algorithmOf(key).name) ? exportPair(format, key) : exportSecret(format, key);
}

function isSigning(name) {
  return isPair(name) && ArrayPrototypeIncludes(algorithms[name].privateUsages, 'sign');
}

function signOrVerifyAny(algorithm, key, data, signature) {
  const normal = normalize(algorithm);
  const { name } = normal;
  const operation = signature === undefined ? 'sign' : 'verify';
  const isCode = isMac(name);
  if (!isCode && !isSigning(name)) throw unrecognized();
  warnOf(name);
  const params = isCode ? readMac(normal) : readSigning(normal);
  checkUse(key, name, operation, operation);
  if (!isCode) return signOrVerify(params, key, data, signature);
  return signature === undefined ? signData(params, key, data) : verifyData(params, key, data, signature);
}

// Returns a function that encrypts or decrypts.
function cipherOf(algorithm) {
  const normal = normalize(algorithm);
  if (normal.name !== 'RSA-OAEP') {
    const symmetric = cipherAlgorithm(algorithm);
    return {
      name: symmetric.name,
      run: (isEncrypt, key, bytes) => toArrayBuffer(runCipher(isEncrypt, symmetric, key, bytes)),
    };
  }
  const label = readLabel(normal);
  return { name: normal.name, run: (isEncrypt, key, bytes) => runOaep(isEncrypt, label, key, bytes) };
}

function encryptOrDecrypt(operation, algorithm, key, bytes) {
  const { name, run } = cipherOf(algorithm);
  checkUse(key, name, operation, operation);
  if (name === 'AES-KW') throw unrecognized();
  return run(operation === 'encrypt', key, bytes);
}

function isAgreeing(name) {
  return name === 'ECDH' || name === 'X25519' || name === 'X448';
}

// Derives bits for deriveBits() and deriveKey(). The last is undefined unless the length is that of a key.
function deriveAny(algorithm, key, usage, length, lengthOf) {
  const { name } = algorithm;
  warnOf(name);
  if (!isAgreeing(name)) {
    if (!isDeriving(name)) throw unrecognized();
    checkUse(key, name, usage, usage);
    return derive(algorithm, key, lengthOf === undefined ? length : lengthOf());
  }
  const peer = readPeer(algorithm);
  if (!ArrayPrototypeIncludes(usagesOf(key), usage)) {
    throw exception(`baseKey does not have ${usage} usage`, 'InvalidAccessError');
  }
  if (algorithmOf(key).name !== name) throw exception('Key algorithm mismatch', 'InvalidAccessError');
  return agree(peer, key, lengthOf === undefined ? length : lengthOf());
}

function checkEncapsulation(algorithm, key, usage, parameter) {
  const { name } = normalize(algorithm);
  if (!isPair(name) || !ArrayPrototypeIncludes(algorithms[name].publicUsages, 'encapsulateBits')) throw unrecognized();
  warnOf(name);
  if (algorithmOf(key).name !== name) throw exception('key algorithm mismatch', 'InvalidAccessError');
  if (!ArrayPrototypeIncludes(usagesOf(key), usage)) {
    throw exception(`${parameter} does not have ${usage} usage`, 'InvalidAccessError');
  }
}

const warnOfMethod = (name) => emitExperimentalWarning(`The ${name} Web Crypto API method`);

const methods = {
  async importKey(format, keyData, algorithm, extractable, keyUsages) {
    format = checkFormat(format, 'importKey');
    if (format !== 'jwk') dataOf(keyData, 'importKey', 2);
    checkUsages(keyUsages, 'importKey', 5);
    return importAny(format, keyData, normalize(algorithm), !!extractable, keyUsages, 'importKey');
  },

  async exportKey(format, key) {
    format = checkFormat(format, 'exportKey');
    checkKey(key, 'exportKey', 2);
    return exportAny(format, key);
  },

  async generateKey(algorithm, extractable, keyUsages) {
    const normal = normalize(algorithm);
    checkUsages(keyUsages, 'generateKey', 3);
    if (isPair(normal.name)) return generatePair(normal, !!extractable, keyUsages);
    return generateSecret(normal, extractable, keyUsages);
  },

  async sign(algorithm, key, data) {
    checkKey(key, 'sign', 2);
    return signOrVerifyAny(algorithm, key, dataOf(data, 'sign', 3));
  },

  async verify(algorithm, key, signature, data) {
    checkKey(key, 'verify', 2);
    const given = dataOf(signature, 'verify', 3);
    return signOrVerifyAny(algorithm, key, dataOf(data, 'verify', 4), given);
  },

  async encrypt(algorithm, key, data) {
    checkKey(key, 'encrypt', 2);
    return encryptOrDecrypt('encrypt', algorithm, key, dataOf(data, 'encrypt', 3));
  },

  async decrypt(algorithm, key, data) {
    checkKey(key, 'decrypt', 2);
    return encryptOrDecrypt('decrypt', algorithm, key, dataOf(data, 'decrypt', 3));
  },

  async deriveBits(algorithm, baseKey, length = null) {
    checkKey(baseKey, 'deriveBits', 2);
    return deriveAny(normalize(algorithm), baseKey, 'deriveBits', length);
  },

  async deriveKey(algorithm, baseKey, derivedKeyType, extractable, keyUsages) {
    checkKey(baseKey, 'deriveKey', 2);
    checkUsages(keyUsages, 'deriveKey', 5);
    const normal = normalize(algorithm);
    const wanted = normalize(derivedKeyType);
    const bits = await deriveAny(normal, baseKey, 'deriveKey', undefined, () => keyLength(wanted));
    return importSecret('raw-secret', bits, wanted, !!extractable, keyUsages, 'deriveKey');
  },

  async wrapKey(format, key, wrappingKey, wrapAlgorithm) {
    format = checkFormat(format, 'wrapKey');
    checkKey(key, 'wrapKey', 2);
    checkKey(wrappingKey, 'wrapKey', 3);
    const { name, run } = cipherOf(wrapAlgorithm);
    checkUse(wrappingKey, name, 'wrapKey', 'wrapKey');
    const exported = exportAny(format, key);
    let bytes = format === 'jwk' ? Buffer.from(JSONStringify(exported)) : new Uint8Array(exported);
    // AES-KW needs a multiple of 8 bytes. JSON may be padded with spaces.
    if (format === 'jwk' && name === 'AES-KW' && bytes.length % 8 !== 0) {
      bytes = Buffer.concat([bytes, Buffer.alloc(8 - bytes.length % 8, ' ')]);
    }
    return run(true, wrappingKey, bytes);
  },

  async unwrapKey(format, wrappedKey, unwrappingKey, unwrapAlgo, unwrappedKeyAlgo, extractable, keyUsages) {
    format = checkFormat(format, 'unwrapKey');
    const wrapped = dataOf(wrappedKey, 'unwrapKey', 2);
    checkKey(unwrappingKey, 'unwrapKey', 3);
    checkUsages(keyUsages, 'unwrapKey', 7);
    const { name, run } = cipherOf(unwrapAlgo);
    const wanted = normalize(unwrappedKeyAlgo);
    checkUse(unwrappingKey, name, 'unwrapKey', 'unwrapKey');
    let data = await run(false, unwrappingKey, wrapped);
    if (format === 'jwk') {
      try {
        data = JSONParse(Buffer.from(data).toString());
      } catch {
        throw exception('Invalid wrapped JWK key', 'DataError');
      }
    }
    return importAny(format, data, wanted, !!extractable, keyUsages, 'unwrapKey');
  },

  async getPublicKey(key, keyUsages) {
    warnOfMethod('getPublicKey');
    checkKey(key, 'getPublicKey', 1);
    checkUsages(keyUsages, 'getPublicKey', 2);
    const type = cryptoKeyType(key);
    if (type !== 'private') {
      throw exception(
        'key must be a private key', type === 'secret' ? 'NotSupportedError' : 'InvalidAccessError');
    }
    return fromHandle(binding.asPublic(partsOf(keyObjectOf(key))), algorithmOf(key), true, keyUsages);
  },

  async encapsulateBits(encapsulationAlgorithm, encapsulationKey) {
    warnOfMethod('encapsulateBits');
    checkKey(encapsulationKey, 'encapsulateBits', 2);
    checkEncapsulation(encapsulationAlgorithm, encapsulationKey, 'encapsulateBits', 'encapsulationKey');
    return encapsulate(encapsulationKey);
  },

  async encapsulateKey(encapsulationAlgorithm, encapsulationKey, sharedKeyAlgorithm, extractable, keyUsages) {
    warnOfMethod('encapsulateKey');
    checkKey(encapsulationKey, 'encapsulateKey', 2);
    checkUsages(keyUsages, 'encapsulateKey', 5);
    const wanted = normalize(sharedKeyAlgorithm);
    checkEncapsulation(encapsulationAlgorithm, encapsulationKey, 'encapsulateKey', 'encapsulationKey');
    const { sharedKey, ciphertext } = await encapsulate(encapsulationKey);
    return {
      ciphertext,
      sharedKey: importSecret('raw-secret', sharedKey, wanted, !!extractable, keyUsages, 'encapsulateKey'),
    };
  },

  async decapsulateBits(decapsulationAlgorithm, decapsulationKey, ciphertext) {
    warnOfMethod('decapsulateBits');
    checkKey(decapsulationKey, 'decapsulateBits', 2);
    const bytes = dataOf(ciphertext, 'decapsulateBits', 3);
    checkEncapsulation(decapsulationAlgorithm, decapsulationKey, 'decapsulateBits', 'decapsulationKey');
    return decapsulate(decapsulationKey, bytes);
  },

  async decapsulateKey(decapsulationAlgorithm, decapsulationKey, ciphertext, sharedKeyAlgorithm, extractable,
    keyUsages) {
    warnOfMethod('decapsulateKey');
    checkKey(decapsulationKey, 'decapsulateKey', 2);
    const bytes = dataOf(ciphertext, 'decapsulateKey', 3);
    checkUsages(keyUsages, 'decapsulateKey', 6);
    const wanted = normalize(sharedKeyAlgorithm);
    checkEncapsulation(decapsulationAlgorithm, decapsulationKey, 'decapsulateKey', 'decapsulationKey');
    const secret = await decapsulate(decapsulationKey, bytes);
    return importSecret('raw-secret', secret, wanted, !!extractable, keyUsages, 'decapsulateKey');
  },
};

// Implements KeyObject.prototype.toCryptoKey().
function fromKeyObject(keyObject, algorithm, extractable, usages) {
  const normal = normalize(algorithm);
  checkUsages(usages, 'toCryptoKey', 3);
  if (typeOf(keyObject) !== 'secret') return fromHandle(partsOf(keyObject), normal, !!extractable, usages);
  if (isPair(normal.name)) throw unrecognized();
  return importSecret('raw-secret', partsOf(keyObject), normal, !!extractable, usages, 'toCryptoKey');
}

module.exports = { ciphers, fromKeyObject, isAgreeing, isPair, isSigning, methods };
