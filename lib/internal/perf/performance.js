'use strict';

// The object `performance` and its class.

const {
  ObjectDefineProperties,
  Symbol,
  SymbolToStringTag,
} = primordials;

const {
  codes: {
    ERR_ILLEGAL_CONSTRUCTOR,
    ERR_INVALID_THIS,
    ERR_MISSING_ARGS,
  },
} = require('internal/errors');
const { customInspectSymbol, kEnumerableProperty } = require('internal/util');
const { toUnsignedLong } = require('internal/webidl');
const { EventTarget, defineEventHandler } = require('internal/event_target');
const { PerformanceMark, clearMarkTimings, makeMeasure } = require('internal/perf/entry');
const { eventLoopUtilization, nodeTiming } = require('internal/perf/node_timing');
const {
  bufferUserTiming,
  clearEntriesFromBuffer,
  enqueue,
  filterBufferMapByNameAndType,
  setResourceTimingBufferSize,
} = require('internal/perf/observe');
const { markResourceTiming } = require('internal/perf/resource_timing');
const { timerify } = require('internal/perf/timerify');
const { now, timeOrigin } = internalBinding('clock');

const kConstruct = Symbol('kConstruct');

let isPerformance;

class Performance extends EventTarget {
  #brand = true;

  constructor(key = undefined) {
    if (key !== kConstruct) throw new ERR_ILLEGAL_CONSTRUCTOR();
    super();
  }

  static {
    isPerformance = (value) => typeof value === 'object' && value !== null && #brand in value;
  }

  [customInspectSymbol](depth, options) {
    if (depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    const opts = { ...options, depth: options.depth === null ? null : options.depth - 1 };
    return `Performance ${inspect({ nodeTiming: this.nodeTiming, timeOrigin: this.timeOrigin }, opts)}`;
  }

  clearMarks(name = undefined) {
    checkReceiver(this);
    if (name !== undefined) name = `${name}`;
    clearMarkTimings(name);
    clearEntriesFromBuffer('mark', name);
  }

  clearMeasures(name = undefined) {
    checkReceiver(this);
    if (name !== undefined) name = `${name}`;
    clearEntriesFromBuffer('measure', name);
  }

  clearResourceTimings(name = undefined) {
    checkReceiver(this);
    if (name !== undefined) name = `${name}`;
    clearEntriesFromBuffer('resource', name);
  }

  getEntries() {
    checkReceiver(this);
    return filterBufferMapByNameAndType();
  }

  getEntriesByName(name, type = undefined) {
    checkReceiver(this);
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('name');
    name = `${name}`;
    if (type !== undefined) type = `${type}`;
    return filterBufferMapByNameAndType(name, type);
  }

  getEntriesByType(type) {
    checkReceiver(this);
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('type');
    return filterBufferMapByNameAndType(undefined, `${type}`);
  }

  mark(name, options = undefined) {
    checkReceiver(this);
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('name');
    const entry = new PerformanceMark(name, options);
    enqueue(entry);
    bufferUserTiming(entry);
    return entry;
  }

  measure(name, startOrMeasureOptions = undefined, endMark = undefined) {
    checkReceiver(this);
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('name');
    const entry = makeMeasure(name, startOrMeasureOptions, endMark);
    enqueue(entry);
    bufferUserTiming(entry);
    return entry;
  }

  now() {
    checkReceiver(this);
    return now();
  }

  setResourceTimingBufferSize(maxSize) {
    checkReceiver(this);
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('maxSize');
    setResourceTimingBufferSize(toUnsignedLong(maxSize, 'maxSize'));
  }

  get timeOrigin() {
    checkReceiver(this);
    return timeOrigin();
  }

  toJSON() {
    checkReceiver(this);
    return { nodeTiming: this.nodeTiming, timeOrigin: this.timeOrigin,
      eventLoopUtilization: this.eventLoopUtilization() };
  }
}

function checkReceiver(self) {
  if (!isPerformance(self)) throw new ERR_INVALID_THIS('Performance');
}

function hidden(value) {
  return { __proto__: null, configurable: true, enumerable: false, writable: true, value };
}

ObjectDefineProperties(Performance.prototype, {
  clearMarks: kEnumerableProperty,
  clearMeasures: kEnumerableProperty,
  clearResourceTimings: kEnumerableProperty,
  getEntries: kEnumerableProperty,
  getEntriesByName: kEnumerableProperty,
  getEntriesByType: kEnumerableProperty,
  mark: kEnumerableProperty,
  measure: kEnumerableProperty,
  now: kEnumerableProperty,
  setResourceTimingBufferSize: kEnumerableProperty,
  timeOrigin: kEnumerableProperty,
  toJSON: kEnumerableProperty,
  // Node's additions to the standard.
  eventLoopUtilization: hidden(eventLoopUtilization),
  nodeTiming: hidden(nodeTiming),
  markResourceTiming: hidden(markResourceTiming),
  timerify: hidden(timerify),
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'Performance' },
});
defineEventHandler(Performance.prototype, 'resourcetimingbufferfull');

module.exports = { Performance, performance: new Performance(kConstruct) };
