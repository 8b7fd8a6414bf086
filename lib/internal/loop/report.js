'use strict';
// Answers to requests on the control socket, as one line of JSON: `why` lists the reasons why the loop stays alive,
// `top` has its statistics, `watch` and `unwatch` begin and end the measuring of phases. Like alive.js this may
// interrupt the program, which must not notice: objects without a prototype are serialized, so that no toJSON() of the
// program runs.
const { JSONStringify } = primordials;
const binding = internalBinding('loop');
const { memoryUsage } = internalBinding('process');
const { alive } = require('internal/loop/alive');
const figures = require('internal/loop/figures');

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
    `"memory":${numbers(memoryUsage())}`;
}

// Keep measuring after `unwatch` if the program had enabled it itself.
let wasMeasuring = false;
function watch() {
  wasMeasuring = figures.snapshot().isMeasuring;
  binding.measure(true);
  return '"watching":true';
}

function unwatch() {
  if (!wasMeasuring) binding.measure(false);
  return '"watching":false';
}

const answers = { __proto__: null, why, top, watch, unwatch };

// A part of the answer: "name":value, without the braces.
function describe(what) {
  return answers[what]();
}

module.exports = { describe };
