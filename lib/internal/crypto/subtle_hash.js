'use strict';

// The digests of Web Crypto.

const { StringPrototypeStartsWith } = primordials;

const { exception, missingOption, normalize, unrecognized } = require('internal/crypto/subtle_convert');
const { emitExperimentalWarning } = require('internal/util');

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

function warnOfExperiment(name) {
  if (!StringPrototypeStartsWith(name, 'SHA-')) emitExperimentalWarning(`The ${name} Web Crypto API algorithm`);
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

// Returns the default length in bits of an HMAC key.
function blockOf(hash) {
  const { block } = digests[hash];
  if (block === undefined) throw exception('Explicit algorithm length member is required', 'NotSupportedError');
  return block;
}

// Returns OpenSSL's name.
const hashName = (hash) => digests[hash].name;

module.exports = { blockOf, digests, hashName, hashOf, warnOfExperiment };
