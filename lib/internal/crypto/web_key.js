'use strict';

// CryptoKey: a KeyObject with an algorithm and usages.

const {
  ArrayPrototypeFilter,
  ArrayPrototypeSlice,
  ObjectDefineProperties,
  SafeSet,
  SymbolToStringTag,
} = primordials;

const { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_THIS } = require('internal/errors').codes;
const { HostObject, kClone } = require('internal/structured_clone');
const { customInspectSymbol, kEnumerableProperty } = require('internal/util');

let given; // The parts of the key under construction.
let isCryptoKey;
let keyObjectOf;

class CryptoKey extends HostObject {
  #keyObject;
  #algorithm;
  #extractable;
  #usages;

  constructor() {
    if (given === undefined) throw new ERR_ILLEGAL_CONSTRUCTOR();
    super();
    this.#keyObject = given.keyObject;
    this.#algorithm = given.algorithm;
    this.#extractable = given.extractable;
    this.#usages = given.usages;
  }

  static {
    isCryptoKey = (value) => typeof value === 'object' && value !== null && #keyObject in value;
    keyObjectOf = (key) => key.#keyObject;
  }

  get type() {
    if (!isCryptoKey(this)) throw new ERR_INVALID_THIS('CryptoKey');
    return this.#keyObject.type;
  }

  get extractable() {
    if (!isCryptoKey(this)) throw new ERR_INVALID_THIS('CryptoKey');
    return this.#extractable;
  }

  get algorithm() {
    if (!isCryptoKey(this)) throw new ERR_INVALID_THIS('CryptoKey');
    return this.#algorithm;
  }

  get usages() {
    if (!isCryptoKey(this)) throw new ERR_INVALID_THIS('CryptoKey');
    return ArrayPrototypeSlice(this.#usages);
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
    const shown = { type: this.type, extractable: this.extractable, algorithm: this.algorithm, usages: this.usages };
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

const everyUsage = ['encrypt', 'decrypt', 'sign', 'verify', 'deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey'];

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
  return keyObjectOf(a).equals(keyObjectOf(b)) && a.extractable === b.extractable &&
    isDeepEqual(a.algorithm, b.algorithm) && isDeepEqual(new SafeSet(a.usages), new SafeSet(b.usages));
}

function readClone({ keyObject, algorithm, usages, extractable }) {
  return makeCryptoKey(keyObject, algorithm, usages, extractable);
}

module.exports = { CryptoKey, isCryptoKey, keyObjectOf, makeCryptoKey, readClone, sameCryptoKeys };
