'use strict';
// Statistics of the loop, for process.loop and `rondo top`.
const { ArrayPrototypePush, Float64Array, MathMin, ObjectFreeze } = primordials;
const binding = internalBinding('loop');

// Indexes of the array that binding.figures() fills.
const {
  kNow,
  kStarted,
  kTurns,
  kEvents,
  kCallbacks,
  kIdle,
  kHandles,
  kRequests,
  kClosing,
  kPoolSize,
  kPoolQueued,
  kPoolRunning,
  kMeasures,
  kLagCount,
  kLagMax,
  kLagSum,
  kPhases,
} = binding.figureIndexes;
const phaseNames = ObjectFreeze(binding.phaseNames);

let memory;
function read() {
  memory ??= new Float64Array(binding.figureCount);
  binding.figures(memory);
  return memory;
}

function phaseTimes(numbers) {
  const phases = { __proto__: null };
  for (let i = 0; i < phaseNames.length; i++) phases[phaseNames[i]] = numbers[kPhases + i];
  return phases;
}

function readQueues(numbers) {
  const { shared, kImmediates } = require('internal/shared');
  return {
    __proto__: null,
    ticks: require('internal/process/task_queues').countTicks(),
    timers: require('internal/timers').countTimers(),
    immediates: shared[kImmediates],
    handles: numbers[kHandles],
    requests: numbers[kRequests],
    closing: numbers[kClosing],
  };
}

function readPool(numbers) {
  return {
    __proto__: null,
    size: numbers[kPoolSize],
    queued: numbers[kPoolQueued],
    running: numbers[kPoolRunning],
  };
}

// ---- Lag: how late timers ran

let buckets;
let edges;
function readBuckets() {
  buckets ??= new Float64Array(binding.lagBuckets);
  binding.lag(buckets);
  return buckets;
}

function lagEdges() {
  if (edges === undefined) {
    edges = new Float64Array(binding.lagBuckets);
    binding.lagEdges(edges);
  }
  return edges;
}

// The upper edge of the bucket that holds this percentile, in ms; `counts` are of each bucket, `count` their sum.
function percentile(counts, count, percent, max) {
  if (count === 0) return 0;
  const rank = percent / 100 * (count - 1);
  let seen = 0;
  for (let i = 0; i < counts.length; i++) {
    seen += counts[i];
    if (seen > rank) return MathMin(lagEdges()[i], max);
  }
  return max;
}

function readLag(numbers) {
  const counts = readBuckets();
  const count = numbers[kLagCount];
  const max = numbers[kLagMax];
  return {
    __proto__: null,
    count,
    p50: percentile(counts, count, 50, max),
    p90: percentile(counts, count, 90, max),
    p99: percentile(counts, count, 99, max),
    max,
  };
}

// [[upper edge in ms, how many], ...] of those that are not empty, so that two of them can be subtracted.
function readLagCounts() {
  const counts = readBuckets();
  const list = [];
  for (let i = 0; i < counts.length; i++) {
    if (counts[i] > 0) ArrayPrototypePush(list, [lagEdges()[i], counts[i]]);
  }
  return list;
}

// Everything that is a number. Before the loop has run for the first time it has not been idle either.
function snapshot() {
  const numbers = read();
  const started = numbers[kStarted];
  const elapsed = started < 0 ? 0 : numbers[kNow] - started;
  const idle = MathMin(numbers[kIdle], elapsed);
  return {
    __proto__: null,
    now: numbers[kNow],
    turns: numbers[kTurns],
    events: numbers[kEvents],
    callbacks: numbers[kCallbacks],
    idle,
    active: elapsed - idle,
    utilization: elapsed > 0 ? (elapsed - idle) / elapsed : 0,
    isMeasuring: numbers[kMeasures] === 1,
    phases: phaseTimes(numbers),
    lag: readLag(numbers),
    queues: readQueues(numbers),
    pool: readPool(numbers),
  };
}

module.exports = {
  kCallbacks,
  kClosing,
  kEvents,
  kLagCount,
  kLagMax,
  kLagSum,
  kMeasures,
  kTurns,
  percentile,
  phaseNames,
  phaseTimes,
  read,
  readBuckets,
  readLag,
  readLagCounts,
  readPool,
  readQueues,
  snapshot,
};
