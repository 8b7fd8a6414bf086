'use strict';

// JSON Web Keys: public and private keys as objects.

const {
  ObjectKeys, StringPrototypeSlice, StringPrototypeStartsWith, StringPrototypeToLowerCase, StringPrototypeToUpperCase,
} = primordials;

const {
  codedTypeError,
  codes: {
    ERR_CRYPTO_INVALID_CURVE,
    ERR_CRYPTO_JWK_UNSUPPORTED_CURVE,
    ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE,
    ERR_CRYPTO_OPERATION_FAILED,
  },
} = require('internal/errors');
const { FastBuffer } = require('internal/buffer/fast');
const { fromString } = require('internal/buffer/create');

const binding = internalBinding('crypto_keys');
const material = internalBinding('crypto_key_material');
const { equal } = internalBinding('crypto_random');

const invalid = (message = 'Invalid JWK format') => codedTypeError('ERR_CRYPTO_INVALID_JWK', message);

// Names of curves: OpenSSL's by that of a key.
const curves = {
  '__proto__': null,
  'P-256': 'prime256v1',
  'secp256k1': 'secp256k1',
  'P-384': 'secp384r1',
  'P-521': 'secp521r1',
};

// Curves whose keys are strings of bytes.
const octetCurves = { __proto__: null, ed25519: 'Ed25519', ed448: 'Ed448', x25519: 'X25519', x448: 'X448' };

// Members of RSA keys, and OpenSSL's names of the numbers.
const rsaMembers = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'];
const rsaNumbers = [
  'n', 'e', 'd', 'rsa-factor1', 'rsa-factor2', 'rsa-exponent1', 'rsa-exponent2', 'rsa-coefficient1',
];
const rsaPublicNumbers = ['n', 'e'];

const toText = (bytes) => new FastBuffer(bytes).base64urlSlice();
const toBytes = (text) => fromString(text, 'base64url');

function exportRsa(handle, isPrivate) {
  const jwk = { kty: 'RSA' };
  const numbers = material.numbers(handle, isPrivate ? rsaNumbers : rsaPublicNumbers, 0);
  for (let i = 0; i < numbers.length; i++) {
    if (numbers[i] === undefined) throw new ERR_CRYPTO_OPERATION_FAILED('Failed to export JWK');
    jwk[rsaMembers[i]] = toText(numbers[i]);
  }
  return jwk;
}

function exportEc(handle, isPrivate) {
  const { namedCurve } = binding.details(handle);
  const { 0: size } = material.curveSize(namedCurve) ?? [0];
  const { 0: x, 1: y } = material.numbers(handle, ['qx', 'qy'], size);
  const names = ObjectKeys(curves);
  let crv;
  for (let i = 0; i < names.length; i++) {
    if (curves[names[i]] === namedCurve) crv = names[i];
  }
  if (crv === undefined) throw new ERR_CRYPTO_JWK_UNSUPPORTED_CURVE(namedCurve);
  if (x === undefined || y === undefined) throw invalid('Invalid JWK EC key');
  const jwk = { kty: 'EC', x: toText(x), y: toText(y), crv };
  if (isPrivate) jwk.d = toText(material.numbers(handle, ['priv'], size)[0]);
  return jwk;
}

function exportOctets(handle, isPrivate, crv) {
  const jwk = { kty: 'OKP', crv, x: toText(material.rawPublic(handle)) };
  if (isPrivate) jwk.d = toText(material.rawPrivate(handle));
  return jwk;
}

function isSlhDsa(algorithm) {
  return StringPrototypeStartsWith(algorithm, 'slh-dsa-');
}

// ML-DSA-44, and SLH-DSA-SHA2-128s.
function akpName(algorithm) {
  if (!isSlhDsa(algorithm)) return StringPrototypeToUpperCase(algorithm);
  const end = algorithm.length - 1;
  return `${StringPrototypeToUpperCase(StringPrototypeSlice(algorithm, 0, end))}${algorithm[end]}`;
}

function exportAkp(handle, isPrivate, algorithm) {
  const jwk = { kty: 'AKP', alg: akpName(algorithm), pub: toText(material.rawPublic(handle)) };
  if (isPrivate) {
    const secret = isSlhDsa(algorithm) ? material.rawPrivate(handle) : material.rawSeed(handle);
    if (secret === undefined) throw new ERR_CRYPTO_OPERATION_FAILED('key does not have an available seed');
    jwk.priv = toText(secret);
  }
  return jwk;
}

// `allowsPss` also exports keys for RSA-PSS, as Web Crypto does.
function exportJwk(handle, allowsPss = false) {
  const isPrivate = binding.isPrivate(handle);
  const algorithm = binding.algorithm(handle);
  switch (algorithm) {
    case 'rsa': return exportRsa(handle, isPrivate);
    case 'rsa-pss':
      if (allowsPss) return exportRsa(handle, isPrivate);
      break;
    case 'ec': return exportEc(handle, isPrivate);
    case 'ed25519': case 'ed448': case 'x25519': case 'x448':
      return exportOctets(handle, isPrivate, octetCurves[algorithm]);
    case undefined: case 'dh': case 'dsa': break;
    default: return exportAkp(handle, isPrivate, algorithm);
  }
  throw new ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE();
}

function importRsa(jwk) {
  const failed = () => invalid('Invalid JWK RSA key');
  const { n, e, d } = jwk;
  if (typeof n !== 'string' || typeof e !== 'string') throw failed();
  if (d !== undefined && typeof d !== 'string') throw failed();
  const numbers = [toBytes(n), toBytes(e)];
  if (d !== undefined) {
    numbers[2] = toBytes(d);
    for (let i = 3; i < rsaMembers.length; i++) {
      const text = jwk[rsaMembers[i]];
      if (typeof text !== 'string') throw failed();
      numbers[i] = toBytes(text);
    }
  }
  const handle = material.rsaFromNumbers(numbers);
  if (handle === undefined) throw failed();
  return handle;
}

// Returns the number in exactly `size` bytes; undefined if it is too large.
function padded(bytes, size) {
  let start = 0;
  while (start < bytes.length && bytes[start] === 0) start++;
  if (bytes.length - start > size) return undefined;
  const result = new FastBuffer(size);
  bytes.copy(result, size - (bytes.length - start), start);
  return result;
}

function importEc(jwk) {
  const failed = () => invalid('Invalid JWK EC key');
  const { crv } = jwk;
  if (typeof crv !== 'string') throw failed();
  const sizes = material.curveSize(crv);
  if (sizes === undefined) throw new ERR_CRYPTO_INVALID_CURVE();
  const { x, y, d } = jwk;
  if (typeof x !== 'string' || typeof y !== 'string' || (d !== undefined && typeof d !== 'string')) throw failed();
  const left = padded(toBytes(x), sizes[0]);
  const right = padded(toBytes(y), sizes[0]);
  if (left === undefined || right === undefined) throw failed();
  const point = new FastBuffer(1 + 2 * sizes[0]);
  point[0] = 4;
  left.copy(point, 1);
  right.copy(point, 1 + sizes[0]);
  const handle = material.ecFromPoint(crv, point, d === undefined ? undefined : toBytes(d));
  if (handle === undefined || (d !== undefined && !binding.check(handle))) throw failed();
  return handle;
}

// A private key of raw bytes must have the public key that the object says.
function checkPublic(handle, bytes, message) {
  const own = material.rawPublic(handle);
  if (own === undefined || own.byteLength !== bytes.length || !equal(own, bytes)) throw invalid(message);
}

function importOctets(jwk) {
  const message = 'Invalid JWK OKP key';
  const { crv, x, d } = jwk;
  if (typeof crv !== 'string' || typeof x !== 'string' || (d !== undefined && typeof d !== 'string')) {
    throw invalid(message);
  }
  const algorithm = StringPrototypeToLowerCase(crv);
  if (octetCurves[algorithm] !== crv) throw invalid(message);
  const isPrivate = d !== undefined;
  const handle = material.fromRaw(algorithm, toBytes(isPrivate ? d : x), isPrivate);
  if (handle === undefined) throw invalid(message);
  if (isPrivate) checkPublic(handle, toBytes(x), message);
  return handle;
}

const akpAlgorithms = [
  'ml-dsa-44', 'ml-dsa-65', 'ml-dsa-87', 'ml-kem-512', 'ml-kem-768', 'ml-kem-1024',
  'slh-dsa-sha2-128f', 'slh-dsa-sha2-128s', 'slh-dsa-sha2-192f', 'slh-dsa-sha2-192s', 'slh-dsa-sha2-256f',
  'slh-dsa-sha2-256s', 'slh-dsa-shake-128f', 'slh-dsa-shake-128s', 'slh-dsa-shake-192f', 'slh-dsa-shake-192s',
  'slh-dsa-shake-256f', 'slh-dsa-shake-256s',
];

function importAkp(jwk) {
  const message = 'Invalid JWK AKP key';
  const { alg, pub, priv } = jwk;
  let algorithm;
  for (let i = 0; i < akpAlgorithms.length; i++) {
    if (alg === akpName(akpAlgorithms[i])) algorithm = akpAlgorithms[i];
  }
  if (algorithm === undefined) throw invalid('Unsupported JWK AKP "alg"');
  if (typeof pub !== 'string' || (priv !== undefined && typeof priv !== 'string')) throw invalid(message);
  const isPrivate = priv !== undefined;
  const handle = isPrivate && !isSlhDsa(algorithm) ? material.fromSeed(algorithm, toBytes(priv)) :
    material.fromRaw(algorithm, toBytes(isPrivate ? priv : pub), isPrivate);
  if (handle === undefined) throw invalid(message);
  if (isPrivate) checkPublic(handle, toBytes(pub), message);
  return handle;
}

// Returns the native handle of a key; private if the object has private members.
function importJwk(jwk) {
  const { kty } = jwk;
  if (typeof kty !== 'string') throw invalid();
  switch (kty) {
    case 'RSA': return importRsa(jwk);
    case 'EC': return importEc(jwk);
    case 'OKP': return importOctets(jwk);
    case 'AKP': return importAkp(jwk);
    default: throw invalid(`${kty} is not a supported JWK key type`);
  }
}

module.exports = { curves, exportJwk, importJwk, invalidJwk: invalid };
