'use strict';

// SubtleCrypto.supports().

const { ArrayPrototypeIncludes, MathCeil, StringPrototypeStartsWith } = primordials;

const { algorithms } = require('internal/crypto/subtle_asymmetric');
const { ciphers } = require('internal/crypto/subtle_cipher');
const { normalize } = require('internal/crypto/subtle_convert');
const { digests, hashOf } = require('internal/crypto/subtle_hash');
const { keccaks, readKeccak } = require('internal/crypto/subtle_keccak');
const { isDeriving, keyLength } = require('internal/crypto/subtle_keys');
const { readPeer, readSigning } = require('internal/crypto/subtle_operations');
const { algorithmOf } = require('internal/crypto/web_key');
const { toUnsignedLong } = require('internal/webidl');

const operations = [
  'decapsulateBits', 'decapsulateKey', 'decrypt', 'deriveBits', 'deriveKey', 'digest', 'encapsulateBits',
  'encapsulateKey', 'encrypt', 'exportKey', 'generateKey', 'getPublicKey', 'importKey', 'sign', 'unwrapKey', 'verify',
  'wrapKey',
];
const curves = { '__proto__': null, 'P-256': 256, 'P-384': 384, 'P-521': 528 };
const mostBits = { __proto__: null, X25519: 256, X448: 448 };

const tagLengths = {
  '__proto__': null,
  'AES-GCM': [32, 64, 96, 104, 112, 120, 128],
  'AES-OCB': [64, 96, 128],
  'ChaCha20-Poly1305': [128],
};
const kSharedBits = 256; // The length of the secret that encapsulation makes.

const isKmac = (name) => name === 'KMAC128' || name === 'KMAC256';
const isSecret = (name) => ciphers[name] !== undefined || name === 'HMAC' || isKmac(name);

function hasCurve(algorithm) {
  return curves[algorithm.namedCurve] !== undefined;
}

function isRsaPlan(algorithm) {
  return typeof algorithm.modulusLength === 'number' && algorithm.publicExponent?.length > 0;
}

function supportsImport(algorithm) {
  const { name } = algorithm;
  if (isDeriving(name) || ciphers[name] !== undefined || isKmac(name)) return true;
  if (name === 'HMAC') return hashOf(algorithm, 'HmacImportParams') !== undefined && algorithm.length !== 0;
  switch (algorithms[name]?.kind) {
    case undefined: return false;
    case 'rsa': return hashOf(algorithm, 'RsaHashedImportParams') !== undefined;
    case 'ec': return hasCurve(algorithm);
    default: return true;
  }
}

function supportsGenerate(algorithm) {
  const { name } = algorithm;
  if (name === 'HMAC') {
    const hash = hashOf(algorithm, 'HmacKeyGenParams');
    return algorithm.length === undefined ? !StringPrototypeStartsWith(hash, 'SHA3-') : algorithm.length !== 0;
  }
  if (name === 'ChaCha20-Poly1305' || isKmac(name)) return true;
  if (ciphers[name] !== undefined) return keyLength(algorithm) > 0;
  switch (algorithms[name]?.kind) {
    case undefined: return false;
    case 'rsa': return hashOf(algorithm, 'RsaHashedKeyGenParams') !== undefined && isRsaPlan(algorithm);
    case 'ec': return hasCurve(algorithm);
    default: return true;
  }
}

function supportsCipher(algorithm, isWrap) {
  const { name } = algorithm;
  if (name === 'RSA-OAEP') return algorithm.label === undefined || algorithm.label?.byteLength !== undefined;
  if (name === 'AES-KW') return isWrap;
  if (ciphers[name] === undefined) return false;
  if (name === 'AES-CTR') {
    const { counter, length } = algorithm;
    return counter?.byteLength === 16 && length >= 1 && length <= 128;
  }
  const { iv } = algorithm;
  if (iv === undefined || iv.byteLength === undefined) return false;
  if (name === 'AES-CBC') return iv.byteLength === 16;
  if (!ArrayPrototypeIncludes(tagLengths[name], algorithm.tagLength ?? 128)) return false;
  if (name === 'AES-OCB') return iv.byteLength <= 15;
  return name !== 'ChaCha20-Poly1305' || iv.byteLength === 12;
}

function supportsSign(algorithm) {
  const { name } = algorithm;
  if (name === 'HMAC') return true;
  if (isKmac(name)) return algorithm.outputLength !== undefined;
  const entry = algorithms[name];
  if (entry === undefined || !ArrayPrototypeIncludes(entry.privateUsages, 'sign')) return false;
  return readSigning(algorithm) !== undefined;
}

function supportsArgon2({ memory, nonce, parallelism, passes, version = 0x13 }, length) {
  return length >= 32 && nonce?.byteLength >= 8 && passes >= 1 && version === 0x13 &&
    parallelism >= 1 && parallelism < 2 ** 24 && memory >= 8 * parallelism;
}

function supportsDerive(algorithm, length) {
  const { name } = algorithm;
  if (isDeriving(name)) {
    if (length === null || length === undefined || length % 8 !== 0) return false;
    if (StringPrototypeStartsWith(name, 'Argon2')) return supportsArgon2(algorithm, length);
    hashOf(algorithm, name === 'HKDF' ? 'HkdfParams' : 'Pbkdf2Params');
    if (algorithm.salt === undefined) return false;
    return name === 'HKDF' ? algorithm.info !== undefined : algorithm.iterations > 0;
  }
  if (algorithms[name] === undefined || !ArrayPrototypeIncludes(algorithms[name].privateUsages, 'deriveBits')) {
    return false;
  }
  const { namedCurve } = algorithmOf(readPeer(algorithm));
  const most = mostBits[name] ?? curves[namedCurve];
  return length === null || length === undefined || length <= most;
}

const isEncapsulating = (name) =>
  algorithms[name] !== undefined && ArrayPrototypeIncludes(algorithms[name].publicUsages, 'encapsulateBits');

function supportsExport(name) {
  return isSecret(name) || algorithms[name] !== undefined;
}

function isShared(additional) {
  const { name } = additional;
  if (!supportsImport(additional) || algorithms[name] !== undefined) return false;
  if (name !== 'HMAC' && !isKmac(name)) return true;
  const { length = kSharedBits } = additional;
  return MathCeil(length / 8) * 8 === kSharedBits;
}

function check(operation, algorithm, extra) {
  const normal = normalize(algorithm);
  const { name } = normal;
  switch (operation) {
    case 'digest': return keccaks[name] === undefined ? digests[name] !== undefined : readKeccak(normal) !== undefined;
    case 'generateKey': return supportsGenerate(normal);
    case 'importKey': return supportsImport(normal);
    case 'exportKey': return supportsExport(name);
    case 'getPublicKey': return algorithms[name] !== undefined;
    case 'sign': case 'verify': return supportsSign(normal);
    case 'encrypt': case 'decrypt': return supportsCipher(normal, false);
    case 'wrapKey': return supportsExport(normalize(extra).name) && supportsCipher(normal, true);
    case 'unwrapKey': return supportsImport(normalize(extra)) && supportsCipher(normal, true);
    case 'deriveBits':
      return supportsDerive(normal, extra === null ? null : toUnsignedLong(extra, '3rd argument'));
    case 'deriveKey': {
      const wanted = normalize(extra);
      return supportsImport(wanted) && supportsDerive(normal, keyLength(wanted));
    }
    case 'encapsulateKey': case 'decapsulateKey': return isEncapsulating(name) && isShared(normalize(extra));
    default: return isEncapsulating(name);
  }
}

// Returns true if the operation could succeed with a suitable key and suitable data.
function supports(operation, algorithm, extra) {
  if (!ArrayPrototypeIncludes(operations, operation)) return false;
  try {
    return check(operation, algorithm, extra);
  } catch {
    return false;
  }
}

module.exports = { supports };
