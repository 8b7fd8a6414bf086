'use strict';

// Entry types that have an observer. Code that creates such entries checks this first, which is cheap and does not load
// perf_hooks.

const watched = { __proto__: null, dns: false, http2: false, net: false };
const { now } = internalBinding('clock');

// Returns the start time of an entry of `type`; 0 if the type has no observer.
function beginning(type) {
  return watched[type] ? now() : 0;
}

// Reports an entry that has ended. `start` is the result of beginning().
function report(type, name, start, detail) {
  if (start === 0 || !watched[type]) return;
  const { enqueue } = require('internal/perf/observe');
  const { createPerformanceNodeEntry } = require('internal/perf/entry');
  enqueue(createPerformanceNodeEntry(name, type, start, now() - start, detail));
}

module.exports = { beginning, report, watched };
