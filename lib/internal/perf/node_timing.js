'use strict';

// performance.nodeTiming, and the utilization of the event loop.

const {
  ObjectDefineProperties,
  ObjectSetPrototypeOf,
} = primordials;

const { PerformanceEntry, inspectEntry } = require('internal/perf/entry');
const { customInspectSymbol } = require('internal/util');
const { now } = internalBinding('clock');
const binding = internalBinding('performance');

// A property with the time at which a step of the start-up was completed, in milliseconds since the start.
function milestone(name) {
  return { __proto__: null, enumerable: true, configurable: true, get: () => binding[name]() };
}

class PerformanceNodeTiming {
  constructor() {
    ObjectDefineProperties(this, {
      name: { __proto__: null, enumerable: true, configurable: true, value: 'node' },
      entryType: { __proto__: null, enumerable: true, configurable: true, value: 'node' },
      startTime: { __proto__: null, enumerable: true, configurable: true, value: 0 },
      duration: { __proto__: null, enumerable: true, configurable: true, get: () => now() },
      nodeStart: milestone('nodeStart'),
      v8Start: milestone('v8Start'),
      environment: milestone('environment'),
      loopStart: milestone('loopStart'),
      loopExit: milestone('loopExit'),
      bootstrapComplete: milestone('bootstrapComplete'),
      idleTime: milestone('loopIdleTime'),
      uvMetricsInfo: {
        __proto__: null,
        enumerable: true,
        configurable: true,
        get: () => {
          const { 0: loopCount, 1: events, 2: eventsWaiting } = binding.loopMetrics();
          return { loopCount, events, eventsWaiting };
        },
      },
    });
  }

  [customInspectSymbol](depth, options) {
    return inspectEntry(this, depth, options);
  }

  toJSON() {
    return {
      name: 'node',
      entryType: 'node',
      startTime: this.startTime,
      duration: this.duration,
      nodeStart: this.nodeStart,
      v8Start: this.v8Start,
      bootstrapComplete: this.bootstrapComplete,
      environment: this.environment,
      loopStart: this.loopStart,
      loopExit: this.loopExit,
      idleTime: this.idleTime,
    };
  }
}

// Makes it an instance of PerformanceEntry, although it defines all properties itself.
ObjectSetPrototypeOf(PerformanceNodeTiming.prototype, PerformanceEntry.prototype);

// The fraction of time in which the loop was not idle: since its start, since `util1`, or between the two.
function eventLoopUtilization(util1, util2) {
  const loopStart = binding.loopStart();
  if (loopStart <= 0) return { idle: 0, active: 0, utilization: 0 };
  const idle = binding.loopIdleTime();
  return compareUtilization(idle, now() - loopStart - idle, util1, util2);
}

function compareUtilization(idle, active, util1, util2) {
  if (util2) {
    idle = util1.idle - util2.idle;
    active = util1.active - util2.active;
    return { idle, active, utilization: active / (idle + active) };
  }
  if (!util1) return { idle, active, utilization: active / (idle + active) };
  const idleSince = idle - util1.idle;
  const activeSince = active - util1.active;
  return { idle: idleSince, active: activeSince, utilization: activeSince / (idleSince + activeSince) };
}

module.exports = { compareUtilization, eventLoopUtilization, nodeTiming: new PerformanceNodeTiming() };
