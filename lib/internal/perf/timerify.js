'use strict';

// performance.timerify(): wraps a function and reports how long each call took.

const {
  FunctionPrototypeCall,
  MathCeil,
  ObjectDefineProperties,
  ReflectApply,
  ReflectConstruct,
} = primordials;

const {
  codes: { ERR_INVALID_ARG_TYPE },
} = require('internal/errors');
const { validateFunction, validateObject } = require('internal/validators');
const { kEmptyObject } = require('internal/util');
const { isRecordable } = require('internal/histogram');
const { createPerformanceNodeEntry } = require('internal/perf/entry');
const { enqueue } = require('internal/perf/observe');
const { now } = internalBinding('clock');

function finished(name, start, args, histogram) {
  const duration = now() - start;
  // A histogram holds integers from 1 on.
  if (histogram !== undefined) histogram.record(MathCeil(duration * 1e6) || 1);
  const entry = createPerformanceNodeEntry(name, 'function', start, duration, args);
  for (let i = 0; i < args.length; ++i) entry[i] = args[i];
  enqueue(entry);
}

function timerify(fn, options = kEmptyObject) {
  validateFunction(fn, 'fn');
  validateObject(options, 'options');
  const { histogram } = options;
  if (histogram !== undefined && !isRecordable(histogram)) {
    throw new ERR_INVALID_ARG_TYPE('options.histogram', 'RecordableHistogram', histogram);
  }

  function timerified(...args) {
    const start = now();
    const result = new.target === undefined ? ReflectApply(fn, this, args) : ReflectConstruct(fn, args, fn);
    if (new.target === undefined && result !== null && typeof result === 'object' &&
        typeof result.finally === 'function') {
      return FunctionPrototypeCall(result.finally, result, () => finished(fn.name, start, args, histogram));
    }
    finished(fn.name, start, args, histogram);
    return result;
  }

  ObjectDefineProperties(timerified, {
    length: { __proto__: null, configurable: false, enumerable: true, value: fn.length },
    name: { __proto__: null, configurable: false, enumerable: true, value: `timerified ${fn.name}` },
  });
  return timerified;
}

module.exports = { timerify };
