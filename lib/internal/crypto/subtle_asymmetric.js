'use strict';

// Web Crypto for public and private keys: generating, importing and exporting them.

const {
  ArrayIsArray,
  ArrayPrototypeFilter,
  ArrayPrototypeIncludes,
  ArrayPrototypeSlice,
  ObjectDefineProperty,
  Promise,
  SafeSet,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
  StringPrototypeToLowerCase,
  TypedArrayPrototypeSlice,
  Uint8Array,
} = primordials;

const { ERR_INVALID_ARG_TYPE } = require('internal/errors').codes;
const { exportJwk, importJwk } = require('internal/crypto/jwk');
const { makeAsymmetric, partsOf } = require('internal/crypto/keys');
const { start: startGeneration } = require('internal/crypto/keygen');
const { hashName, hashOf } = require('internal/crypto/subtle_hash');
const {
  dataOf, exception, missingOption, operationError, unrecognized,
} = require('internal/crypto/subtle_convert');
const {
  algorithmOf, cryptoKeyType, isExtractable, keyObjectOf, makeCryptoKey, usagesOf,
} = require('internal/crypto/web_key');
const { emitExperimentalWarning } = require('internal/util');
const { isUint8Array } = require('internal/util/types');

const binding = internalBinding('crypto_keys');
const material = internalBinding('crypto_key_material');

const signing = { publicUsages: ['verify'], privateUsages: ['sign'] };
const deriving = { publicUsages: [], privateUsages: ['deriveKey', 'deriveBits'] };
const encrypting = { publicUsages: ['encrypt', 'wrapKey'], privateUsages: ['decrypt', 'unwrapKey'] };
const encapsulating = {
  publicUsages: ['encapsulateKey', 'encapsulateBits'],
  privateUsages: ['decapsulateKey', 'decapsulateBits'],
};

// The kinds of keys. `use` is the member of JSON keys.
const rsa = { kind: 'rsa', kty: 'RSA', privateMember: 'd' };
const curve = { kind: 'ec', kty: 'EC', privateMember: 'd', rawFormats: ['raw', 'raw-public'] };
const octets = { kind: 'octets', kty: 'OKP', privateMember: 'd', rawFormats: ['raw', 'raw-public'] };
const seeded = { kind: 'seeded', kty: 'AKP', privateMember: 'priv', rawFormats: ['raw-public', 'raw-seed'] };

const algorithms = {
  '__proto__': null,
  'RSASSA-PKCS1-v1_5': { ...rsa, ...signing, use: 'sig', jwkPrefix: 'RS' },
  'RSA-PSS': { ...rsa, ...signing, use: 'sig', jwkPrefix: 'PS' },
  'RSA-OAEP': { ...rsa, ...encrypting, use: 'enc', jwkPrefix: 'RSA-OAEP' },
  'ECDSA': { ...curve, ...signing, use: 'sig' },
  'ECDH': { ...curve, ...deriving, use: 'enc' },
  'Ed25519': { ...octets, ...signing, use: 'sig' },
  'Ed448': { ...octets, ...signing, use: 'sig', isExperimental: true },
  'X25519': { ...octets, ...deriving, use: 'enc' },
  'X448': { ...octets, ...deriving, use: 'enc', isExperimental: true },
  // pkcs8Size: of a key without its seed, which Web Crypto does not support, and of one with only the seed.
  'ML-DSA-44': { ...seeded, ...signing, use: 'sig', isExperimental: true, pkcs8Size: 2588, seedSize: 54 },
  'ML-DSA-65': { ...seeded, ...signing, use: 'sig', isExperimental: true, pkcs8Size: 4060, seedSize: 54 },
  'ML-DSA-87': { ...seeded, ...signing, use: 'sig', isExperimental: true, pkcs8Size: 4924, seedSize: 54 },
  'ML-KEM-512': { ...seeded, ...encapsulating, use: 'enc', isExperimental: true, pkcs8Size: 1660, seedSize: 86 },
  'ML-KEM-768': { ...seeded, ...encapsulating, use: 'enc', isExperimental: true, pkcs8Size: 2428, seedSize: 86 },
  'ML-KEM-1024': { ...seeded, ...encapsulating, use: 'enc', isExperimental: true, pkcs8Size: 3196, seedSize: 86 },
};

const kLeastModulus = 512;
const curveNames = { '__proto__': null, 'P-256': 'prime256v1', 'P-384': 'secp384r1', 'P-521': 'secp521r1' };
// Sizes of public keys in DER with an uncompressed point.
const spkiSizes = { '__proto__': null, 'P-256': 91, 'P-384': 120, 'P-521': 158 };
const ecdsaNames = { __proto__: null, ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };

function warnOf(name) {
  if (algorithms[name]?.isExperimental) emitExperimentalWarning(`The ${name} Web Crypto API algorithm`);
}

function checkUsages(name, usages, allowed) {
  for (let i = 0; i < usages.length; i++) {
    if (!ArrayPrototypeIncludes(allowed, usages[i])) {
      throw exception(`Unsupported key usage for ${name} key`, 'SyntaxError');
    }
  }
}

function curveOf(algorithm, params) {
  const { namedCurve } = algorithm;
  if (namedCurve === undefined) throw missingOption(params, 'namedCurve');
  const name = `${namedCurve}`;
  if (curveNames[name] === undefined) throw exception('Unrecognized namedCurve', 'NotSupportedError');
  return name;
}

// Returns the algorithm of a key to import, with the members that its parameters require.
function importAlgorithm(algorithm) {
  const { name } = algorithm;
  warnOf(name);
  switch (algorithms[name].kind) {
    case 'rsa': return { name, hash: { name: hashOf(algorithm, 'RsaHashedImportParams') } };
    case 'ec': return { name, namedCurve: curveOf(algorithm, 'EcKeyImportParams') };
    default: return { name };
  }
}

// ---- Generating

function exponentOf(algorithm) {
  const { publicExponent } = algorithm;
  if (publicExponent === undefined) throw missingOption('RsaHashedKeyGenParams', 'publicExponent');
  if (!isUint8Array(publicExponent)) {
    const error = new ERR_INVALID_ARG_TYPE('publicExponent', 'Uint8Array', publicExponent);
    error.message = 'Failed to normalize algorithm: publicExponent in passed algorithm is not an Uint8Array object.';
    throw error;
  }
  let number = 0;
  for (let i = 0; i < publicExponent.length; i++) {
    number = number * 256 + publicExponent[i];
    if (number > 2 ** 32 - 1) {
      throw exception('algorithm.publicExponent must fit in an unsigned 32-bit integer', 'OperationError');
    }
  }
  if (number % 2 === 0) throw exception('algorithm.publicExponent must be odd', 'OperationError');
  return { number, bytes: TypedArrayPrototypeSlice(publicExponent) };
}

function modulusLengthOf(algorithm) {
  const { modulusLength } = algorithm;
  if (modulusLength === undefined) throw missingOption('RsaHashedKeyGenParams', 'modulusLength');
  const number = +modulusLength;
  if (!(number >= 0 && number <= 2 ** 32 - 1)) {
    throw new ERR_INVALID_ARG_TYPE('algorithm.modulusLength', 'unsigned long', modulusLength);
  }
  if (number < kLeastModulus) {
    throw exception(`algorithm.modulusLength must be at least ${kLeastModulus}`, 'OperationError');
  }
  return number - number % 1;
}

// Returns what to generate: arguments of generateKeyPair(), and the algorithm of the keys.
function planOf(algorithm) {
  const { name } = algorithm;
  switch (algorithms[name].kind) {
    case 'rsa': {
      const modulusLength = modulusLengthOf(algorithm);
      const { number, bytes } = exponentOf(algorithm);
      const hash = hashOf(algorithm, 'RsaHashedKeyGenParams');
      return {
        type: 'rsa',
        options: { modulusLength, publicExponent: number },
        made: { name, modulusLength, publicExponent: bytes, hash: { name: hash } },
      };
    }
    case 'ec': {
      const namedCurve = curveOf(algorithm, 'EcKeyGenParams');
      return { type: 'ec', options: { namedCurve }, made: { name, namedCurve } };
    }
    default: return { type: StringPrototypeToLowerCase(name), options: {}, made: { name } };
  }
}

function only(usages, allowed) {
  return ArrayPrototypeFilter(usages, (usage) => ArrayPrototypeIncludes(allowed, usage));
}

function generatePair(algorithm, extractable, usages) {
  const { name } = algorithm;
  const { publicUsages, privateUsages } = algorithms[name];
  warnOf(name);
  const { type, options, made } = planOf(algorithm);
  checkUsages(name, usages, [...publicUsages, ...privateUsages]);
  const ofPrivate = only(usages, privateUsages);
  if (ofPrivate.length === 0) throw exception('Usages cannot be empty when creating a key.', 'SyntaxError');
  return new Promise((resolve, reject) => {
    startGeneration(type, options, (isDone, result) => {
      if (!isDone) {
        reject(operationError(result));
        return;
      }
      resolve({
        publicKey: makeCryptoKey(makeAsymmetric(result[0]), made, only(usages, publicUsages), true),
        privateKey: makeCryptoKey(makeAsymmetric(result[1]), made, ofPrivate, extractable),
      });
    });
  });
}

// ---- Importing

function badData(cause) {
  const error = exception('Invalid keyData', 'DataError');
  if (cause !== undefined) {
    ObjectDefineProperty(error, 'cause', {
      __proto__: null, value: cause, configurable: true, writable: true, enumerable: false,
    });
  }
  return error;
}

function attempt(read) {
  let handle;
  try {
    handle = read();
  } catch (error) {
    throw badData(error);
  }
  if (handle === undefined) throw badData();
  return handle;
}

function readDer(bytes, isPrivate) {
  return attempt(() => binding.parse(
    bytes, binding.kFormatDer, isPrivate ? binding.kPkcs8 : binding.kSpki, undefined, isPrivate));
}

function checkJwkOptions(jwk, use, extractable, usages) {
  if (usages.length > 0 && jwk.use !== undefined && jwk.use !== use) {
    throw exception('Invalid JWK "use" Parameter', 'DataError');
  }
  if (jwk.key_ops !== undefined) {
    if (!ArrayIsArray(jwk.key_ops)) throw exception('Invalid JWK "key_ops" Parameter', 'DataError');
    const operations = new SafeSet(jwk.key_ops);
    if (operations.size !== jwk.key_ops.length) throw exception('Duplicate key operation', 'DataError');
    for (let i = 0; i < usages.length; i++) {
      if (!operations.has(usages[i])) throw exception('Key operations and usage mismatch', 'DataError');
    }
  }
  if (jwk.ext === false && extractable) throw exception('JWK "ext" Parameter and extractable mismatch', 'DataError');
}

const mismatch = () => exception('JWK "alg" does not match the requested algorithm', 'DataError');

// Members that a JSON key of this kind must have, as text.
const required = { __proto__: null, RSA: ['n', 'e'], EC: ['crv', 'x', 'y'], OKP: ['crv', 'x'], AKP: ['alg', 'pub'] };

function checkJwkMembers(jwk, kty, privateMember) {
  if (typeof jwk !== 'object' || jwk === null || typeof jwk.kty !== 'string') throw badData();
  if (jwk.kty !== kty) throw exception('Invalid JWK "kty" Parameter', 'DataError');
  const members = required[kty];
  for (let i = 0; i < members.length; i++) {
    if (typeof jwk[members[i]] !== 'string') throw badData();
  }
  const secret = jwk[privateMember];
  if (secret !== undefined && typeof secret !== 'string') throw badData();
}

// Checks that the key says the same algorithm as the program.
function checkJwkAlgorithm(jwk, made) {
  const { name, namedCurve, hash } = made;
  const { kind, jwkPrefix } = algorithms[name];
  switch (kind) {
    case 'rsa':
      if (jwk.alg !== undefined && jwk.alg !== rsaJwkName(jwkPrefix, hash.name)) throw mismatch();
      break;
    case 'ec':
      if (jwk.crv !== namedCurve) throw exception('JWK "crv" does not match the requested algorithm', 'DataError');
      if (name === 'ECDSA' && jwk.alg !== undefined && ecdsaNames[jwk.alg] !== namedCurve) throw mismatch();
      break;
    case 'octets':
      if (jwk.crv !== name) throw exception('JWK "crv" Parameter and algorithm name mismatch', 'DataError');
      if (StringPrototypeStartsWith(name, 'Ed') && jwk.alg !== undefined && jwk.alg !== name && jwk.alg !== 'EdDSA') {
        throw mismatch();
      }
      break;
    default:
      if (jwk.alg !== name) throw exception('JWK "alg" Parameter and algorithm name mismatch', 'DataError');
  }
}

// RS256, PS384, RSA-OAEP-512; RSA-OAEP and RS1 for SHA-1. Undefined for SHA-3.
function rsaJwkName(prefix, hash) {
  if (!StringPrototypeStartsWith(hash, 'SHA-')) return undefined;
  const bits = StringPrototypeSlice(hash, 4);
  if (prefix !== 'RSA-OAEP') return `${prefix}${bits}`;
  return bits === '1' ? prefix : `${prefix}-${bits}`;
}

function readJwk(jwk, made, extractable, usages) {
  const { kty, privateMember, publicUsages, privateUsages, use } = algorithms[made.name];
  const isPrivate = jwk?.[privateMember] !== undefined;
  checkUsages(made.name, usages, isPrivate ? privateUsages : publicUsages);
  checkJwkMembers(jwk, kty, privateMember);
  checkJwkOptions(jwk, use, extractable, usages);
  checkJwkAlgorithm(jwk, made);
  return attempt(() => importJwk(jwk));
}

function readRaw(bytes, format, made) {
  const { kind } = algorithms[made.name];
  if (kind === 'ec') return attempt(() => material.ecFromPoint(made.namedCurve, bytes));
  const algorithm = StringPrototypeToLowerCase(made.name);
  if (format === 'raw-seed') return attempt(() => material.fromSeed(algorithm, bytes));
  return attempt(() => material.fromRaw(algorithm, bytes, false));
}

function readFormat(format, data, made, extractable, usages, method) {
  const { name } = made;
  const { pkcs8Size, privateUsages, publicUsages, rawFormats } = algorithms[name];
  switch (format) {
    case 'jwk': return readJwk(data, made, extractable, usages);
    case 'spki': {
      const bytes = dataOf(data, method, 2);
      checkUsages(name, usages, publicUsages);
      return readDer(bytes, false);
    }
    case 'pkcs8': {
      const bytes = dataOf(data, method, 2);
      checkUsages(name, usages, privateUsages);
      if (pkcs8Size === bytes.length) {
        const family = StringPrototypeSlice(name, 0, 6);
        throw exception(`Importing an ${family} PKCS#8 key without a seed is not supported`, 'NotSupportedError');
      }
      return readDer(bytes, true);
    }
    default: {
      if (rawFormats === undefined || !ArrayPrototypeIncludes(rawFormats, format)) {
        throw exception(`Unable to import ${name} using ${format} format`, 'NotSupportedError');
      }
      const bytes = dataOf(data, method, 2);
      checkUsages(name, usages, format === 'raw-seed' ? privateUsages : publicUsages);
      return readRaw(bytes, format, made);
    }
  }
}

// Checks the key against the algorithm, and adds what the algorithm's object says of the key.
function completeAlgorithm(handle, made) {
  const { name, namedCurve } = made;
  const { kind } = algorithms[name];
  const expected = kind === 'rsa' || kind === 'ec' ? kind : StringPrototypeToLowerCase(name);
  if (binding.algorithm(handle) !== expected) throw exception('Invalid key type', 'DataError');
  if (kind === 'ec') {
    if (!binding.check(handle)) throw badData();
    if (binding.details(handle).namedCurve !== curveNames[namedCurve]) {
      throw exception('Named curve mismatch', 'DataError');
    }
  }
  if (kind !== 'rsa') return made;
  const { modulusLength, publicExponent } = binding.details(handle);
  return { name, modulusLength, publicExponent: new Uint8Array(publicExponent), hash: made.hash };
}

function makeImported(handle, made, extractable, usages) {
  const algorithm = completeAlgorithm(handle, made);
  if (binding.isPrivate(handle) && usages.length === 0) {
    throw exception('Usages cannot be empty when importing a private key.', 'SyntaxError');
  }
  return makeCryptoKey(makeAsymmetric(handle), algorithm, usages, extractable);
}

function importPair(format, data, algorithm, extractable, usages, method) {
  const made = importAlgorithm(algorithm);
  return makeImported(readFormat(format, data, made, extractable, usages, method), made, extractable, usages);
}

// Implements KeyObject.prototype.toCryptoKey() and getPublicKey().
function fromHandle(handle, algorithm, extractable, usages) {
  if (algorithms[algorithm.name] === undefined) throw unrecognized();
  const made = importAlgorithm(algorithm);
  const { publicUsages, privateUsages } = algorithms[made.name];
  checkUsages(made.name, usages, binding.isPrivate(handle) ? privateUsages : publicUsages);
  return makeImported(handle, made, extractable, usages);
}

// ---- Exporting

function writeDer(handle, isPrivate) {
  return binding.write(handle, isPrivate, binding.kFormatDer, isPrivate ? binding.kPkcs8 : binding.kSpki);
}

function exportDer(handle, isPrivate, algorithm) {
  const { name, namedCurve } = algorithm;
  const { kind, seedSize } = algorithms[name];
  let bytes = writeDer(handle, isPrivate);
  if (kind === 'ec' && !isPrivate && bytes.byteLength !== spkiSizes[namedCurve]) {
    // The key was imported with a compressed point.
    const point = material.ecPoint(handle, material.kUncompressed);
    bytes = writeDer(material.ecFromPoint(namedCurve, point), false);
  }
  if (kind === 'seeded' && isPrivate && bytes.byteLength !== seedSize) throw operationError();
  return bytes;
}

function exportRaw(handle, format, algorithm) {
  if (format === 'raw-seed') return material.rawSeed(handle);
  if (algorithms[algorithm.name].kind === 'ec') return material.ecPoint(handle, material.kUncompressed);
  return material.rawPublic(handle);
}

function exportJson(handle, key) {
  const { name, hash } = algorithmOf(key);
  const { jwkPrefix } = algorithms[name];
  let alg = jwkPrefix === undefined ? undefined : rsaJwkName(jwkPrefix, hash.name);
  if (StringPrototypeStartsWith(name, 'Ed')) alg = name;
  const result = { key_ops: ArrayPrototypeSlice(usagesOf(key)), ext: isExtractable(key), alg };
  if (alg === undefined) delete result.alg;
  const parts = exportJwk(handle);
  for (const member in parts) result[member] = parts[member];
  return result;
}

function exportPair(format, key) {
  const algorithm = algorithmOf(key);
  const type = cryptoKeyType(key);
  const { name } = algorithm;
  const { rawFormats } = algorithms[name];
  if (!isExtractable(key)) throw exception('key is not extractable', 'InvalidAccessError');
  const handle = partsOf(keyObjectOf(key));
  const isPrivate = type === 'private';
  let result;
  try {
    if (format === 'spki' || format === 'pkcs8') {
      if (isPrivate !== (format === 'pkcs8')) {
        throw exception(`Key must be a ${isPrivate ? 'public' : 'private'} key`, 'InvalidAccessError');
      }
      return exportDer(handle, isPrivate, algorithm);
    }
    if (format === 'jwk') return exportJson(handle, key);
    if (rawFormats !== undefined && ArrayPrototypeIncludes(rawFormats, format) &&
        isPrivate === (format === 'raw-seed')) {
      result = exportRaw(handle, format, algorithm);
      if (result === undefined) throw operationError();
      return result;
    }
  } catch (error) {
    if (error.name === 'InvalidAccessError' || error.name === 'OperationError') throw error;
    throw operationError(error);
  }
  throw exception(`Unable to export ${name} ${type} key using ${format} format`, 'NotSupportedError');
}

module.exports = {
  algorithms,
  exportPair,
  fromHandle,
  generatePair,
  hashName,
  importPair,
  warnOf,
};
