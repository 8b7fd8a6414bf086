'use strict';
// What the formats of other viewers have in common: spans with a name for each, what is to be said of them, and one clock
// for all threads.
const { phaseNames } = require('internal/trace/format');
const { describe, whatOf } = require('internal/trace/callbacks');
const { kNone, spanKinds } = require('internal/trace/model');

const categories = ['turn', 'phase', 'loop', 'callback', 'drain', 'tick', 'drain', 'microtask'];

function nameOf(model, span) {
  const { spans } = model;
  switch (spans.kind[span]) {
    case spanKinds.turn:
      return `turn ${spans.id[span]}`;
    case spanKinds.phase:
      return phaseNames[spans.phase[span]];
    case spanKinds.tickDrain:
      return 'ticks';
    case spanKinds.microtaskDrain:
      return 'microtasks';
    case spanKinds.loopCallback:
      return `loop: ${whatOf(model, span)}`;
  }
  const what = whatOf(model, span);
  const { functionName } = model.names.place(spans.name[span]);
  return functionName === '' ? what : `${what} ${functionName}`;
}

function placeText(place) {
  return place.file === '' ? '' : `${place.file}:${place.line}:${place.column}`;
}

// Pairs of a name and a text about a callback, for the panels of viewers.
function detailsOf(model, span) {
  const about = describe(model, span);
  const list = [];
  const at = placeText(about.place);
  if (at !== '') list.push(['function', about.place.functionName === '' ? at : `${about.place.functionName} ${at}`]);
  if (about.scheduled !== null) {
    const from = placeText(about.scheduled.place);
    if (from !== '') list.push(['asked for at', from]);
  }
  if (about.wait === about.wait) list.push(['waited', `${(about.wait / 1e6).toFixed(3)} ms`]);
  if (about.late === about.late) list.push(['late', `${(about.late / 1e6).toFixed(3)} ms`]);
  list.push(['why here', `${about.rule.id}: ${about.rule.text}`]);
  return list;
}

// When, within its cause, a span was asked for: arrows begin there.
function arrowStart(model, span) {
  const { spans } = model;
  const cause = spans.cause[span];
  const record = spans.schedule[span];
  const asked = record === kNone ? spans.end[cause] : model.time(record);
  return Math.min(Math.max(asked, spans.start[cause]), spans.end[cause]);
}

// Nanoseconds to add to the times of each model, so that all count from the earliest start.
function clockOffsets(models) {
  const starts = models.map((model) => model.header.startedAtMonotonic);
  const first = Math.min(...starts);
  return starts.map((start) => start - first);
}

function threadName(model) {
  return model.header.threadId === 0 ? 'loop' : `loop of worker ${model.header.threadId}`;
}

function processName(model) {
  return model.header.commandLine.join(' ') || 'rondo';
}

module.exports = { arrowStart, categories, clockOffsets, detailsOf, nameOf, processName, threadName };
