'use strict';
// Counts the HTTP requests that the program has served, for `rondo top` and --metrics: an observer of
// internal/http/observe. The figures may be read in an interrupt between any two instructions of the program.

const { ArrayPrototypePush, Float64Array, MathCeil, MathFloor, MathLog, MathMax, MathMin, MathPow } = primordials;

const { observed } = require('internal/http/observe');

// Methods have a label of their own if they are standard, so that clients cannot make more labels.
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'CONNECT', 'TRACE', '_OTHER'];
const methodIndexes = { __proto__: null };
for (let i = 0; i < methods.length; i++) methodIndexes[methods[i]] = i;
// Responses by the first digit of their status. Requests whose connection was closed before are `aborted`.
const outcomes = ['aborted', '1xx', '2xx', '3xx', '4xx', '5xx'];
const counts = new Float64Array(methods.length * outcomes.length);

// Upper limits in seconds, as OpenTelemetry recommends for requests of servers, and three below.
const limits = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const buckets = new Float64Array(limits.length + 1);

// Finer ones, for percentiles: accurate to 10 %, from 10 us on.
const kFinest = 0.01;
const kStep = MathLog(1.1);
const kFine = 200;
const fine = new Float64Array(kFine);

const totals = { __proto__: null, count: 0, seconds: 0 };

const counter = {
  __proto__: null,
  begins() {},
  continues() {},
  ends({ endedAt, hasFailed, isServer, method, startedAt, status }) {
    if (!isServer) return;
    const outcome = hasFailed ? 0 : MathMin(5, MathMax(1, MathFloor(status / 100)));
    counts[(methodIndexes[method] ?? methods.length - 1) * outcomes.length + outcome]++;
    const ms = MathMax(0, endedAt - startedAt);
    totals.count++;
    totals.seconds += ms / 1000;
    let i = 0;
    while (i < limits.length && ms > limits[i] * 1000) i++;
    buckets[i]++;
    fine[ms <= kFinest ? 0 : MathMin(kFine - 1, MathCeil(MathLog(ms / kFinest) / kStep))]++;
  },
};

let users = 0;

function start() {
  if (users++ === 0) observed.add(counter);
}

function stop() {
  if (--users === 0) observed.remove(counter);
}

// [[upper limit in ms, how many], ...] of those that are not empty.
function readDurations() {
  const list = [];
  for (let i = 0; i < kFine; i++) {
    if (fine[i] > 0) ArrayPrototypePush(list, [kFinest * MathPow(1.1, i), fine[i]]);
  }
  return list;
}

module.exports = {
  buckets,
  counts,
  limits,
  methods,
  outcomes,
  readDurations,
  start,
  stop,
  totals,
};
