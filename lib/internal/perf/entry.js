'use strict';

// PerformanceEntry and the entries of user timing.

const {
  ObjectDefineProperties,
  SafeMap,
  SafeSet,
  Symbol,
  SymbolToStringTag,
} = primordials;

const {
  codes: {
    ERR_ILLEGAL_CONSTRUCTOR,
    ERR_INVALID_THIS,
    ERR_INVALID_ARG_VALUE,
    ERR_MISSING_ARGS,
    ERR_PERFORMANCE_INVALID_TIMESTAMP,
    ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS,
  },
} = require('internal/errors');
const { validateNumber, validateObject, validateString } = require('internal/validators');
const { customInspectSymbol, kEnumerableProperty, lazyDOMException } = require('internal/util');
const { now } = internalBinding('clock');

const kConstruct = Symbol('kConstruct');

// The names of performance.nodeTiming that measure() accepts as marks. mark() rejects them.
const timingNames = new SafeSet([
  'nodeStart', 'v8Start', 'environment', 'loopStart', 'loopExit', 'bootstrapComplete',
]);

let isEntry;

class PerformanceEntry {
  #name;
  #entryType;
  #startTime;
  #duration;

  constructor(key = undefined, name = undefined, entryType = undefined, startTime = undefined, duration = undefined) {
    if (key !== kConstruct) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this.#name = name;
    this.#entryType = entryType;
    this.#startTime = startTime;
    this.#duration = duration;
  }

  static {
    isEntry = (value) => typeof value === 'object' && value !== null && #name in value;
  }

  get name() {
    checkEntry(this);
    return this.#name;
  }

  get entryType() {
    checkEntry(this);
    return this.#entryType;
  }

  get startTime() {
    checkEntry(this);
    return this.#startTime;
  }

  get duration() {
    checkEntry(this);
    return this.#duration;
  }

  [customInspectSymbol](depth, options) {
    return inspectEntry(this, depth, options);
  }

  toJSON() {
    checkEntry(this);
    return {
      name: this.name,
      entryType: this.entryType,
      startTime: this.startTime,
      duration: this.duration,
    };
  }
}

function checkEntry(self) {
  if (!isEntry(self)) throw new ERR_INVALID_THIS('PerformanceEntry');
}

function inspectEntry(self, depth, options) {
  if (depth < 0) return options.stylize(`[${self.constructor.name}]`, 'special');
  const { inspect } = require('internal/util/inspect');
  const opts = { ...options, depth: options.depth === null ? null : options.depth - 1 };
  return `${self.constructor.name} ${inspect(self.toJSON(), opts)}`;
}

ObjectDefineProperties(PerformanceEntry.prototype, {
  name: kEnumerableProperty,
  entryType: kEnumerableProperty,
  startTime: kEnumerableProperty,
  duration: kEnumerableProperty,
  toJSON: kEnumerableProperty,
});

// The entries of the runtime itself ('function', 'net', 'gc' ...), with further data in `detail`.
class PerformanceNodeEntry extends PerformanceEntry {
  #detail;

  constructor(key, name, entryType, startTime, duration, detail) {
    super(key, name, entryType, startTime, duration);
    this.#detail = detail;
  }

  get detail() {
    return this.#detail;
  }

  toJSON() {
    return { ...super.toJSON(), detail: this.#detail };
  }
}

function createPerformanceNodeEntry(name, entryType, startTime, duration, detail) {
  return new PerformanceNodeEntry(kConstruct, name, entryType, startTime, duration, detail);
}

// Clones the detail, so that later changes of the original do not affect the entry.
function cloneDetail(detail) {
  if (detail === undefined || detail === null) return null;
  const type = typeof detail;
  if (type !== 'object' && type !== 'function' && type !== 'symbol') return detail;
  return require('internal/structured_clone').structuredClone(detail);
}

function tag(value) {
  return { __proto__: null, configurable: true, value };
}

class PerformanceMark extends PerformanceEntry {
  #detail;

  constructor(name, options = undefined) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('name');
    name = `${name}`;
    if (timingNames.has(name)) throw new ERR_INVALID_ARG_VALUE('name', name);
    let startTime;
    let detail;
    if (options !== undefined && options !== null) {
      validateObject(options, 'options');
      ({ startTime, detail } = options);
    }
    if (startTime === undefined) {
      startTime = now();
    } else {
      validateNumber(startTime, 'startTime');
      if (startTime < 0) throw new ERR_PERFORMANCE_INVALID_TIMESTAMP(startTime);
    }
    super(kConstruct, name, 'mark', startTime, 0);
    this.#detail = cloneDetail(detail);
    marks.set(name, startTime);
  }

  get detail() {
    if (!(#detail in this)) throw new ERR_INVALID_THIS('PerformanceMark');
    return this.#detail;
  }

  toJSON() {
    return { ...super.toJSON(), detail: this.detail };
  }
}

ObjectDefineProperties(PerformanceMark.prototype, {
  detail: kEnumerableProperty,
  [SymbolToStringTag]: tag('PerformanceMark'),
});

class PerformanceMeasure extends PerformanceEntry {
  #detail;

  constructor(key = undefined, name = undefined, startTime = undefined, duration = undefined, detail = undefined) {
    super(key, name, 'measure', startTime, duration);
    this.#detail = cloneDetail(detail);
  }

  get detail() {
    if (!(#detail in this)) throw new ERR_INVALID_THIS('PerformanceMeasure');
    return this.#detail;
  }

  toJSON() {
    return { ...super.toJSON(), detail: this.detail };
  }
}

ObjectDefineProperties(PerformanceMeasure.prototype, {
  detail: kEnumerableProperty,
  [SymbolToStringTag]: tag('PerformanceMeasure'),
});

// The time of the latest mark of each name.
const marks = new SafeMap();

function clearMarkTimings(name) {
  if (name === undefined) {
    marks.clear();
    return;
  }
  if (timingNames.has(name)) throw new ERR_INVALID_ARG_VALUE('name', name);
  marks.delete(name);
}

function timeOf(mark) {
  if (typeof mark === 'number') {
    if (mark < 0) throw new ERR_PERFORMANCE_INVALID_TIMESTAMP(mark);
    return mark;
  }
  const name = `${mark}`;
  if (timingNames.has(name)) return require('internal/perf/node_timing').nodeTiming[name];
  const time = marks.get(name);
  if (time === undefined) {
    throw lazyDOMException(`The "${name}" performance mark has not been set`, 'SyntaxError');
  }
  return time;
}

function makeMeasure(name, startOrOptions, endMark) {
  validateString(name, 'name');
  let start;
  let end;
  let duration;
  let detail;
  let hasOptions = false;
  if (startOrOptions !== null && typeof startOrOptions === 'object') {
    ({ start, end, duration, detail } = startOrOptions);
    hasOptions = start !== undefined || end !== undefined;
    if (hasOptions) {
      if (endMark !== undefined) throw new ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS('endMark must not be specified');
      if (start !== undefined && end !== undefined && duration !== undefined) {
        throw new ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS(
          'Must not have options.start, options.end, and options.duration specified');
      }
    }
  } else if (typeof startOrOptions === 'string') {
    start = startOrOptions;
  }

  let endTime;
  if (endMark !== undefined) endTime = timeOf(endMark);
  else if (hasOptions && end !== undefined) endTime = timeOf(end);
  else if (hasOptions && start !== undefined && duration !== undefined) endTime = timeOf(start) + timeOf(duration);
  else endTime = now();

  let startTime = 0;
  if (start !== undefined) startTime = timeOf(start);
  else if (hasOptions && duration !== undefined && end !== undefined) startTime = timeOf(end) - timeOf(duration);
  return new PerformanceMeasure(kConstruct, name, startTime, endTime - startTime, detail);
}

module.exports = {
  PerformanceEntry,
  PerformanceMark,
  PerformanceMeasure,
  clearMarkTimings,
  createPerformanceNodeEntry,
  inspectEntry,
  isPerformanceEntry: isEntry,
  kConstruct,
  makeMeasure,
};
