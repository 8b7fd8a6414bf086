'use strict';
// ByteLengthQueuingStrategy and CountQueuingStrategy. The mark is checked by the stream that uses the strategy.
const { ObjectDefineProperties, SafeArrayIterator, SymbolToStringTag } = primordials;
const { customInspectSymbol, kEnumerableProperty } = require('internal/util');
const { codes: { ERR_MISSING_OPTION } } = require('internal/errors');
const { validateObject } = require('internal/validators');

// One function for all objects of a class, as the standard has it.
const byteSize = { size: (chunk) => chunk.byteLength }.size;
const countSize = { size: () => 1 }.size;

function readState(init) {
  validateObject(init, 'init');
  const { highWaterMark } = init;
  if (highWaterMark === undefined) throw new ERR_MISSING_OPTION('init.highWaterMark');
  return { highWaterMark: +highWaterMark };
}

function show(strategy, name, depth, options) {
  if (depth < 0) return strategy;
  const { inspect } = require('internal/util/inspect');
  const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
  return `${name} ${inspect({ highWaterMark: strategy.highWaterMark }, inner)}`;
}

class ByteLengthQueuingStrategy {
  #state;
  #size = byteSize;

  constructor(init) {
    this.#state = readState(init);
  }

  get highWaterMark() {
    return this.#state.highWaterMark;
  }

  get size() {
    return this.#size;
  }

  [customInspectSymbol](depth, options) {
    return show(this, 'ByteLengthQueuingStrategy', depth, options);
  }
}

class CountQueuingStrategy {
  #state;
  #size = countSize;

  constructor(init) {
    this.#state = readState(init);
  }

  get highWaterMark() {
    return this.#state.highWaterMark;
  }

  get size() {
    return this.#size;
  }

  [customInspectSymbol](depth, options) {
    return show(this, 'CountQueuingStrategy', depth, options);
  }
}

for (const Class of new SafeArrayIterator([ByteLengthQueuingStrategy, CountQueuingStrategy])) {
  ObjectDefineProperties(Class.prototype, {
    highWaterMark: kEnumerableProperty,
    size: kEnumerableProperty,
    [SymbolToStringTag]: { __proto__: null, configurable: true, value: Class.name },
  });
}

module.exports = { ByteLengthQueuingStrategy, CountQueuingStrategy };
