'use strict';

// encrypt() and decrypt() of crypto.subtle for AES modes and ChaCha20-Poly1305.

const { ArrayPrototypeIncludes, ArrayPrototypePush, BigInt, Error, Number, Uint8Array } = primordials;

const { createCipheriv, createDecipheriv } = require('internal/crypto/cipher');
const { keyObjectOf } = require('internal/crypto/web_key');
const {
  exception, missingOption, normalize, operationError, paramOf, unrecognized,
} = require('internal/crypto/subtle_convert');
const { Buffer } = require('buffer');
const { emitExperimentalWarning } = require('internal/util');

const usages = ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];

// Ciphers by the name of the algorithm. `tags` are the tag lengths in bits of authenticated modes. Experimental
// algorithms have the key format 'raw-secret' instead of 'raw'.
const ciphers = {
  '__proto__': null,
  'AES-CBC': { mode: 'cbc', jwk: 'CBC', params: 'AesCbcParams', usages },
  'AES-CTR': { mode: 'ctr', jwk: 'CTR', params: 'AesCtrParams', usages },
  'AES-GCM': { mode: 'gcm', jwk: 'GCM', params: 'AeadParams', usages, tags: [32, 64, 96, 104, 112, 120, 128] },
  'AES-KW': { mode: 'wrap', jwk: 'KW', params: 'Algorithm', usages: ['wrapKey', 'unwrapKey'] },
  'AES-OCB': { mode: 'ocb', jwk: 'OCB', params: 'AeadParams', usages, tags: [64, 96, 128], isExperimental: true },
  'ChaCha20-Poly1305': { mode: 'poly1305', params: 'AeadParams', usages, tags: [128], isExperimental: true },
};
const wrapVector = Buffer.alloc(8, 0xa6);

function checkTagLength(algorithm, tags) {
  const { name, tagLength = 128 } = algorithm;
  if (!ArrayPrototypeIncludes(tags, tagLength)) {
    throw exception(`${tagLength} is not a valid ${name} tag length`, 'OperationError');
  }
  return tagLength / 8;
}

// Splits the data at the point where the counter wraps around. The counter is the last `length` bits of its 16 bytes,
// but OpenSSL's counter always has 128 bits, so a new cipher starts at the wrap.
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
  if (!(length >= 1 && length <= 128)) {
    throw exception('AES-CTR algorithm.length must be between 1 and 128', 'OperationError');
  }
  const out = [];
  for (const part of counterParts(counter, length, data.length)) {
    const cipher = createCipheriv(cipherName, bytes, part.counter);
    ArrayPrototypePush(out, cipher.update(data.subarray(part.from, part.to)), cipher.final());
  }
  return Buffer.concat(out);
}

function nameOf(mode, bits) {
  if (mode === 'poly1305') return 'chacha20-poly1305';
  return mode === 'wrap' ? `id-aes${bits}-wrap` : `aes-${bits}-${mode}`;
}

function checkVector(mode, iv) {
  const wanted = mode === 'cbc' ? 16 : mode === 'poly1305' ? 12 : iv.length;
  if (iv.length !== wanted) throw exception(`algorithm.iv must contain exactly ${wanted} bytes`, 'OperationError');
  if (mode === 'ocb' && iv.length > 15) {
    throw exception('AES-OCB algorithm.iv must be no more than 15 bytes', 'OperationError');
  }
}

function runCipher(isEncrypt, algorithm, key, data) {
  const { mode, params, tags } = ciphers[algorithm.name];
  const bytes = keyObjectOf(key).export();
  const cipherName = nameOf(mode, bytes.length * 8);
  if (mode === 'ctr') return runCounter(cipherName, bytes, algorithm, data);
  let iv = wrapVector;
  let tagBytes = 0;
  const options = {};
  if (mode !== 'wrap') iv = paramOf(algorithm, 'iv', params);
  checkVector(mode, iv);
  if (tags !== undefined) {
    tagBytes = options.authTagLength = checkTagLength(algorithm, tags);
    if (!isEncrypt && data.length < tagBytes) throw operationError();
  }
  try {
    const cipher = (isEncrypt ? createCipheriv : createDecipheriv)(cipherName, bytes, iv, options);
    if (tags !== undefined && algorithm.additionalData !== undefined) {
      cipher.setAAD(paramOf(algorithm, 'additionalData', params));
    }
    if (isEncrypt) {
      const out = [cipher.update(data), cipher.final()];
      if (tags !== undefined) ArrayPrototypePush(out, cipher.getAuthTag());
      return Buffer.concat(out);
    }
    if (tags !== undefined) cipher.setAuthTag(data.subarray(data.length - tagBytes));
    return Buffer.concat([cipher.update(data.subarray(0, data.length - tagBytes)), cipher.final()]);
  } catch (error) {
    if (error.name === 'OperationError') throw error;
    throw operationError(error);
  }
}

function cipherAlgorithm(algorithm) {
  const normal = normalize(algorithm);
  if (ciphers[normal.name] === undefined) throw unrecognized();
  warnOfCipher(normal.name);
  return normal;
}

function warnOfCipher(name) {
  if (ciphers[name]?.isExperimental) emitExperimentalWarning(`The ${name} Web Crypto API algorithm`);
}

module.exports = { cipherAlgorithm, ciphers, runCipher, warnOfCipher };
