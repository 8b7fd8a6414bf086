'use strict';
// What native code is told for whoever asks from outside, as one line of JSON: `why` is the list of what keeps the loop
// alive, `top` its figures, `watch` and `unwatch` begin and end the measuring of phases. Like alive.js this may run in
// the middle of the program, and must not be seen by it: JSON of objects that inherit nothing calls nobody's toJSON().
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

// Who measures may be the program itself, which goes on with it.
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
