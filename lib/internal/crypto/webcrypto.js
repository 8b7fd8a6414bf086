'use strict';

// Web Crypto: random values, UUIDs, digests, and operations with keys.

const {
  ArrayBufferIsView,
  ObjectDefineProperties,
  Promise,
  ReflectApply,
  ReflectConstruct,
  SymbolToStringTag,
} = primordials;

const {
  ERR_ILLEGAL_CONSTRUCTOR,
  ERR_INVALID_ARG_TYPE,
  ERR_INVALID_THIS,
  ERR_MISSING_ARGS,
} = require('internal/errors').codes;
const { CryptoKey } = require('internal/crypto/web_key');
const { methods: subtleKeys } = require('internal/crypto/subtle');
const { normalize } = require('internal/crypto/subtle_convert');
const { digests, warnOfExperiment } = require('internal/crypto/subtle_hash');
const { keccaks, readKeccak, startKeccak } = require('internal/crypto/subtle_keccak');
const { fillRandomValues, randomUUID } = require('internal/crypto/random');
const { emitExperimentalWarning, kEnumerableProperty, lazyDOMException } = require('internal/util');
const { isArrayBuffer } = require('internal/util/types');

const binding = internalBinding('crypto_derive');

function failed(method, interfaceName) {
  return `Failed to execute '${method}' on '${interfaceName}'`;
}

// Creates an error of an error code's class with another message.
function coded(Class, message) {
  const error = new Class('', '');
  error.message = message;
  return error;
}

function requireArguments(count, wanted, method, interfaceName) {
  if (count >= wanted) return;
  throw coded(ERR_MISSING_ARGS, `${failed(method, interfaceName)}: ${wanted} argument${wanted === 1 ? '' : 's'} ` +
    `required, but only ${count} present.`);
}

let makes = false;
function make(Class) {
  makes = true;
  try {
    return ReflectConstruct(Class, []);
  } finally {
    makes = false;
  }
}

function startDigest(algorithm, data) {
  const { name } = algorithm;
  const digest = digests[name]?.name;
  let start = (done) => binding.digest(digest, data, done);
  if (keccaks[name] !== undefined) {
    const params = readKeccak(algorithm);
    start = (done) => startKeccak(name, params, data, done);
  } else if (digest === undefined) {
    throw lazyDOMException('Unrecognized algorithm name', 'NotSupportedError');
  }
  warnOfExperiment(name);
  return new Promise((resolve, reject) => {
    start((isDone, result) => {
      if (isDone) {
        resolve(result);
      } else {
        const error = lazyDOMException('The operation failed for an operation-specific reason', 'OperationError');
        reject(error);
      }
    });
  });
}

let isSubtle;

class SubtleCrypto {
  #isOurs = true;

  constructor() {
    if (!makes) throw new ERR_ILLEGAL_CONSTRUCTOR();
  }

  static supports(operation, algorithm, lengthOrAdditionalAlgorithm = null) {
    emitExperimentalWarning('The supports Web Crypto API method');
    if (this !== SubtleCrypto) throw new ERR_INVALID_THIS('SubtleCrypto constructor');
    requireArguments(arguments.length, 2, 'supports', 'SubtleCrypto');
    const { supports } = require('internal/crypto/subtle_supports');
    return supports(`${operation}`, algorithm, lengthOrAdditionalAlgorithm);
  }

  static {
    isSubtle = (value) => typeof value === 'object' && value !== null && #isOurs in value;
  }
}

function digest(algorithm, data) {
  if (!ArrayBufferIsView(data) && !isArrayBuffer(data)) {
    throw coded(ERR_INVALID_ARG_TYPE, `${failed('digest', 'SubtleCrypto')}: 2nd argument is not instance of ` +
      'ArrayBuffer, Buffer, TypedArray, or DataView.');
  }
  return startDigest(normalize(algorithm), data);
}

const subtleMethods = { __proto__: null, ...subtleKeys, digest };

// The methods of SubtleCrypto, with the number of required arguments.
const counts = {
  __proto__: null,
  digest: 2,
  encrypt: 3, decrypt: 3, sign: 3, verify: 4, generateKey: 3, deriveKey: 5, deriveBits: 2, importKey: 5, exportKey: 2,
  wrapKey: 4, unwrapKey: 7, getPublicKey: 2, encapsulateBits: 2, encapsulateKey: 5, decapsulateBits: 3,
  decapsulateKey: 6,
};

// Calls a method of crypto.subtle. All errors become rejections.
async function call(self, name, args) {
  if (!isSubtle(self)) throw new ERR_INVALID_THIS('SubtleCrypto');
  requireArguments(args.length, counts[name], name, 'SubtleCrypto');
  return ReflectApply(subtleMethods[name], undefined, args);
}

for (const name in counts) {
  const method = {
    [name](...args) {
      return call(this, name, args);
    },
  }[name];
  ObjectDefineProperties(method, { length: { __proto__: null, value: counts[name], configurable: true } });
  ObjectDefineProperties(SubtleCrypto.prototype, {
    [name]: { __proto__: null, value: method, configurable: true, enumerable: true, writable: true },
  });
}

let subtle;
function getSubtle() {
  return (subtle ??= make(SubtleCrypto));
}

class Crypto {
  #isOurs = true;

  constructor() {
    if (!makes) throw new ERR_ILLEGAL_CONSTRUCTOR();
  }

  get subtle() {
    if (!Crypto.#isCrypto(this)) throw new ERR_INVALID_THIS('Crypto');
    return getSubtle();
  }

  getRandomValues(array) {
    if (!Crypto.#isCrypto(this)) throw new ERR_INVALID_THIS('Crypto');
    requireArguments(arguments.length, 1, 'getRandomValues', 'Crypto');
    return fillRandomValues(array);
  }

  randomUUID() {
    if (!Crypto.#isCrypto(this)) throw new ERR_INVALID_THIS('Crypto');
    return randomUUID();
  }

  static #isCrypto(value) {
    return typeof value === 'object' && value !== null && #isOurs in value;
  }
}

ObjectDefineProperties(SubtleCrypto, { supports: kEnumerableProperty });
ObjectDefineProperties(SubtleCrypto.prototype, {
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'SubtleCrypto' },
});
ObjectDefineProperties(Crypto.prototype, {
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'Crypto' },
  subtle: kEnumerableProperty,
  getRandomValues: kEnumerableProperty,
  randomUUID: kEnumerableProperty,
});

module.exports = { Crypto, CryptoKey, SubtleCrypto, crypto: make(Crypto) };
