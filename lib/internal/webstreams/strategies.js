'use strict';
// ByteLengthQueuingStrategy and CountQueuingStrategy. The mark is checked by the stream that uses the strategy.
const { ObjectDefineProperties, SymbolToStringTag } = primordials;
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

// Separate classes without a common base, because programs can see the prototypes.
function makeStrategy(name, size) {
  const Strategy = { [name]: class {
    #state;
    #size = size;

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
      return show(this, name, depth, options);
    }
  } }[name];
  ObjectDefineProperties(Strategy.prototype, {
    highWaterMark: kEnumerableProperty,
    size: kEnumerableProperty,
    [SymbolToStringTag]: { __proto__: null, configurable: true, value: name },
  });
  return Strategy;
}

const ByteLengthQueuingStrategy = makeStrategy('ByteLengthQueuingStrategy', byteSize);
const CountQueuingStrategy = makeStrategy('CountQueuingStrategy', countSize);

module.exports = { ByteLengthQueuingStrategy, CountQueuingStrategy };
