'use strict';

// CryptoKey: a KeyObject with an algorithm and usages.

const {
  ArrayPrototypeFilter,
  ArrayPrototypeSlice,
  ObjectDefineProperties,
  ObjectPrototype,
  SafeSet,
  SymbolToStringTag,
  Uint8Array,
} = primordials;

const { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_THIS } = require('internal/errors').codes;
const { HostObject, kClone } = require('internal/structured_clone');
const { customInspectSymbol, kEnumerableProperty } = require('internal/util');

let given; // The parts of the key under construction.
let isCryptoKey;
let keyObjectOf;
// The internal slots, which a program cannot change.
let algorithmOf;
let usagesOf;
let isExtractable;

// Copies an algorithm, with the objects in it.
function copyAlgorithm(algorithm, prototype) {
  // Without a prototype, what a program adds to Object.prototype is not copied.
  const own = { __proto__: null, ...algorithm };
  const { hash, publicExponent } = own;
  const copy = { __proto__: prototype, ...own };
  if (hash !== undefined) copy.hash = { __proto__: prototype, ...hash };
  if (publicExponent !== undefined) copy.publicExponent = new Uint8Array(publicExponent);
  return copy;
}

class CryptoKey extends HostObject {
  #keyObject;
  #algorithm;
  #extractable;
  #usages;
  // The objects that a program got, because reading twice must give the same one.
  #shownAlgorithm;
  #shownUsages;

  constructor() {
    if (given === undefined) throw new ERR_ILLEGAL_CONSTRUCTOR();
    super();
    this.#keyObject = given.keyObject;
    this.#algorithm = copyAlgorithm(given.algorithm, null);
    this.#extractable = given.extractable;
    this.#usages = given.usages;
  }

  static {
    isCryptoKey = (value) => typeof value === 'object' && value !== null && #keyObject in value;
    keyObjectOf = (key) => key.#keyObject;
    algorithmOf = (key) => key.#algorithm;
    usagesOf = (key) => key.#usages;
    isExtractable = (key) => key.#extractable;
  }

  get type() {
    if (!isCryptoKey(this)) throw new ERR_INVALID_THIS('CryptoKey');
    return typeOf(this);
  }

  get extractable() {
    if (!isCryptoKey(this)) throw new ERR_INVALID_THIS('CryptoKey');
    return this.#extractable;
  }

  get algorithm() {
    if (!isCryptoKey(this)) throw new ERR_INVALID_THIS('CryptoKey');
    return (this.#shownAlgorithm ??= copyAlgorithm(this.#algorithm, ObjectPrototype));
  }

  get usages() {
    if (!isCryptoKey(this)) throw new ERR_INVALID_THIS('CryptoKey');
    return (this.#shownUsages ??= ArrayPrototypeSlice(this.#usages));
  }

  [kClone]() {
    return {
      id: 'internal/crypto/web_key',
      data: {
        keyObject: this.#keyObject,
        algorithm: this.#algorithm,
        usages: this.#usages,
        extractable: this.#extractable,
      },
    };
  }

  [customInspectSymbol](depth, options) {
    if (depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    if (!isCryptoKey(this)) throw new ERR_INVALID_THIS('CryptoKey');
    const shown = {
      type: typeOf(this),
      extractable: this.#extractable,
      algorithm: copyAlgorithm(this.#algorithm, ObjectPrototype),
      usages: ArrayPrototypeSlice(this.#usages),
    };
    return `CryptoKey ${inspect(shown, { ...options, depth: options.depth == null ? null : options.depth - 1 })}`;
  }
}
ObjectDefineProperties(CryptoKey.prototype, {
  type: kEnumerableProperty,
  extractable: kEnumerableProperty,
  algorithm: kEnumerableProperty,
  usages: kEnumerableProperty,
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'CryptoKey' },
});

const everyUsage = [
  'encrypt', 'decrypt', 'sign', 'verify', 'deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey', 'encapsulateKey',
  'encapsulateBits', 'decapsulateKey', 'decapsulateBits',
];

// Returns each usage once, in the order of the standard.
function inOrder(usages) {
  const given = new SafeSet(usages);
  return ArrayPrototypeFilter(everyUsage, (usage) => given.has(usage));
}

function makeCryptoKey(keyObject, algorithm, usages, extractable) {
  given = { keyObject, algorithm, usages: inOrder(usages), extractable: !!extractable };
  try {
    return new CryptoKey();
  } finally {
    given = undefined;
  }
}

function sameCryptoKeys(a, b, isDeepEqual) {
  return require('internal/crypto/keys').equalKeys(keyObjectOf(a), keyObjectOf(b)) &&
    isExtractable(a) === isExtractable(b) && isDeepEqual(algorithmOf(a), algorithmOf(b)) &&
    isDeepEqual(new SafeSet(usagesOf(a)), new SafeSet(usagesOf(b)));
}

function readClone({ keyObject, algorithm, usages, extractable }) {
  return makeCryptoKey(keyObject, algorithm, usages, extractable);
}

// Returns 'secret', 'public' or 'private'. The KeyObject's own getter can be replaced.
function typeOf(key) {
  return require('internal/crypto/keys').typeOf(keyObjectOf(key));
}

module.exports = {
  CryptoKey,
  algorithmOf,
  cryptoKeyType: typeOf,
  isCryptoKey,
  isExtractable,
  keyObjectOf,
  makeCryptoKey,
  readClone,
  sameCryptoKeys,
  usagesOf,
};
