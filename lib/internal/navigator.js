'use strict';
// The global `navigator`.

const { ObjectDefineProperties, ObjectFreeze, StringPrototypeSplit, Symbol } = primordials;

const { codes: { ERR_ILLEGAL_CONSTRUCTOR } } = require('internal/errors');
const { kEnumerableProperty } = require('internal/util');

const kInitialize = Symbol('kInitialize');

class Navigator {
  #hardwareConcurrency;
  #languages;
  #userAgent = `Node.js/${StringPrototypeSplit(process.versions.node, '.', 1)[0]}`;
  #platform;

  constructor() {
    if (arguments[0] !== kInitialize) throw new ERR_ILLEGAL_CONSTRUCTOR();
  }

  get hardwareConcurrency() {
    return this.#hardwareConcurrency ??= require('os').availableParallelism();
  }

  get locks() {
    return require('internal/locks').locks;
  }

  get language() {
    return this.languages[0];
  }

  get languages() {
    return this.#languages ??= ObjectFreeze([globalThis.Intl?.Collator().resolvedOptions().locale || 'en-US']);
  }

  get userAgent() {
    return this.#userAgent;
  }

  // The name that browsers use.
  get platform() {
    return this.#platform ??= `Linux ${require('os').machine()}`;
  }
}
ObjectDefineProperties(Navigator.prototype, {
  hardwareConcurrency: kEnumerableProperty,
  locks: kEnumerableProperty,
  language: kEnumerableProperty,
  languages: kEnumerableProperty,
  userAgent: kEnumerableProperty,
  platform: kEnumerableProperty,
});

module.exports = { Navigator, navigator: new Navigator(kInitialize) };
