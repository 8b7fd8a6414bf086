'use strict';

// Whether somebody watches for entries of these types, for those who would make them: what they ask costs nothing while
// nobody does, and perf_hooks is not loaded for it.

const watched = { __proto__: null, dns: false, net: false };
const { now } = internalBinding('clock');

// When something begins that `type` is about: 0 if nobody wants to know.
function beginning(type) {
  return watched[type] ? now() : 0;
}

// It has come to its end, and began at `start`, which beginning() gave.
function report(type, name, start, detail) {
  if (start === 0 || !watched[type]) return;
  const { enqueue } = require('internal/perf/observe');
  const { createPerformanceNodeEntry } = require('internal/perf/entry');
  enqueue(createPerformanceNodeEntry(name, type, start, now() - start, detail));
}

module.exports = { beginning, report, watched };
