'use strict';
// process.loop: the figures of the loop for the program that runs on it. docs/WHY-AND-TOP.md describes it.
const { ArrayIsArray, ArrayPrototypeMap, ObjectDefineProperty, ObjectFreeze, ObjectKeys, SymbolToStringTag } =
  primordials;
const binding = internalBinding('loop');
const figures = require('internal/loop/figures');
const { customInspectSymbol } = require('internal/util');
const { validateBoolean, validateNumber } = require('internal/validators');

// As programs expect objects to be; what we keep inherits nothing.
function plain(value) {
  if (value === null || typeof value !== 'object') return value;
  if (ArrayIsArray(value)) return ArrayPrototypeMap(value, plain);
  const result = {};
  const keys = ObjectKeys(value);
  for (let i = 0; i < keys.length; i++) result[keys[i]] = plain(value[keys[i]]);
  return result;
}

// All times are milliseconds.
class ProcessLoop {
  get backend() { return binding.backend(); }

  get turns() { return figures.read()[figures.kTurns]; }
  get events() { return figures.read()[figures.kEvents]; }
  get callbacks() { return figures.read()[figures.kCallbacks]; }

  get idle() { return figures.snapshot().idle; }
  get active() { return figures.snapshot().active; }
  get utilization() { return figures.snapshot().utilization; }

  // Time per phase, while it is measured.
  get phases() { return plain(figures.phaseTimes(figures.read())); }
  get isMeasuring() { return figures.read()[figures.kMeasures] === 1; }
  measure(on = true) {
    validateBoolean(on, 'on');
    binding.measure(on);
    return this;
  }

  get lag() { return plain(figures.readLag(figures.read())); }
  lagPercentile(percent) {
    validateNumber(percent, 'percent', 0, 100);
    const numbers = figures.read();
    return figures.percentile(figures.readBuckets(), numbers[figures.kLagCount], percent, numbers[figures.kLagMax]);
  }

  get queues() { return plain(figures.readQueues(figures.read())); }
  get pool() { return plain(figures.readPool(figures.read())); }

  // For console.log().
  [customInspectSymbol](depth, options) {
    if (depth < 0) return '[ProcessLoop]';
    const { inspect } = require('internal/util/inspect');
    return `ProcessLoop ${inspect(this.snapshot(), options)}`;
  }

  alive() { return plain(require('internal/loop/alive').alive()); }
  snapshot() { return plain(figures.snapshot()); }
}
ObjectDefineProperty(ProcessLoop.prototype, SymbolToStringTag, {
  __proto__: null, configurable: true, value: 'ProcessLoop',
});

module.exports = { loop: ObjectFreeze(new ProcessLoop()) };
