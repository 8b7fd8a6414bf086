'use strict';
// Answers to requests on the control socket, as one line of JSON: `why` lists the reasons why the loop stays alive,
// `top` has its statistics, `watch` and `unwatch` begin and end the measuring of phases and HTTP requests. `metrics` is
// the text of --metrics. Like alive.js this may interrupt the program, which must not notice: objects without a
// prototype are serialized, so that no toJSON() of the program runs.
const { JSONStringify } = primordials;
const binding = internalBinding('loop');
const { memoryUsage } = internalBinding('process');
const { alive } = require('internal/loop/alive');
const figures = require('internal/loop/figures');
const { countConnections } = require('internal/loop/http_connections');
const http = require('internal/observe/http_metrics');

function join(list, describe) {
  let text = '[';
  for (let i = 0; i < list.length; i++) {
    if (i > 0) text += ',';
    text += describe(list[i]);
  }
  return `${text}]`;
}

function numbers(list) {
  return join(list, (number) => `${number}`);
}

function why() {
  return `"alive":${join(alive(), JSONStringify)}`;
}

function top() {
  const all = figures.snapshot();
  return `"figures":${JSONStringify(all)},` +
    `"lag":${join(figures.readLagCounts(), numbers)},` +
    `"memory":${numbers(memoryUsage())}${topHttp()}`;
}

// Only for programs that serve HTTP.
function topHttp() {
  const open = countConnections();
  if (open.servers === 0 && http.totals.count === 0) return '';
  return `,"http":{"requests":${http.totals.count},"connections":${open.connections},` +
    `"inFlight":${open.inFlight},"durations":${join(http.readDurations(), numbers)}}`;
}

// Keep measuring after `unwatch` if the program had enabled it itself.
let wasMeasuring = false;
function watch() {
  wasMeasuring = figures.snapshot().isMeasuring;
  binding.measure(true);
  http.start();
  return '"watching":true';
}

function unwatch() {
  if (!wasMeasuring) binding.measure(false);
  http.stop();
  return '"watching":false';
}

// The loop's part of the answer to GET /metrics.
function metrics() {
  return require('internal/observe/prometheus').render();
}

const answers = { __proto__: null, why, top, metrics, watch, unwatch };

// A part of the answer: "name":value, without the braces. `metrics` is text.
function describe(what) {
  return answers[what]();
}

module.exports = { describe };
