'use strict';

// node:perf_hooks. The classes are in internal/perf and internal/histogram.
const { ObjectDefineProperty, SafeArrayIterator } = primordials;

const { PerformanceEntry, PerformanceMark, PerformanceMeasure } = require('internal/perf/entry');
const { PerformanceObserver, PerformanceObserverEntryList } = require('internal/perf/observe');
const { PerformanceResourceTiming } = require('internal/perf/resource_timing');
const { eventLoopUtilization } = require('internal/perf/node_timing');
const { timerify } = require('internal/perf/timerify');
const { Performance, performance } = require('internal/perf/performance');
const { createHistogram, importHistogram, monitorEventLoopDelay } = require('internal/histogram');

module.exports = {
  Performance,
  PerformanceEntry,
  PerformanceMark,
  PerformanceMeasure,
  PerformanceObserver,
  PerformanceObserverEntryList,
  PerformanceResourceTiming,
  monitorEventLoopDelay,
  eventLoopUtilization,
  timerify,
  createHistogram,
  createSlidingWindowHistogram(options) {
    return require('internal/perf/sliding_window').createSlidingWindowHistogram(options);
  },
  importHistogram,
  performance,
};

const constants = {};
for (const { 0: name, 1: value } of new SafeArrayIterator([
  ['NODE_PERFORMANCE_GC_MAJOR', 4],
  ['NODE_PERFORMANCE_GC_MINOR', 1],
  ['NODE_PERFORMANCE_GC_MINOR_MARK_SWEEP', 2],
  ['NODE_PERFORMANCE_GC_INCREMENTAL', 8],
  ['NODE_PERFORMANCE_GC_WEAKCB', 16],
  ['NODE_PERFORMANCE_GC_FLAGS_NO', 0],
  ['NODE_PERFORMANCE_GC_FLAGS_CONSTRUCT_RETAINED', 2],
  ['NODE_PERFORMANCE_GC_FLAGS_FORCED', 4],
  ['NODE_PERFORMANCE_GC_FLAGS_SYNCHRONOUS_PHANTOM_PROCESSING', 8],
  ['NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE', 16],
  ['NODE_PERFORMANCE_GC_FLAGS_ALL_EXTERNAL_MEMORY', 32],
  ['NODE_PERFORMANCE_GC_FLAGS_SCHEDULE_IDLE', 64],
])) {
  ObjectDefineProperty(constants, name, { __proto__: null, enumerable: true, value });
}

ObjectDefineProperty(module.exports, 'constants', { __proto__: null, enumerable: true, value: constants });
