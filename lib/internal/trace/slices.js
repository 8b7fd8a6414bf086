'use strict';
// Shared by the export formats of other viewers: named spans, their details, and one clock for all threads.
const { phaseNames, phases } = require('internal/trace/format');
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
    if (from !== '') list.push(['scheduled at', from]);
  }
  if (!Number.isNaN(about.wait)) list.push(['waited', `${(about.wait / 1e6).toFixed(3)} ms`]);
  if (!Number.isNaN(about.late)) list.push(['late', `${(about.late / 1e6).toFixed(3)} ms`]);
  list.push(['why here', `${about.rule.id}: ${about.rule.text}`]);
  return list;
}

// The phases that a turn went through without running anything. They are not recorded, so they share the time
// between those that are. emit(name, start, end) is called for each, in order.
class QuietPhases {
  constructor(model, emit) {
    this.model = model;
    this.emit = emit;
    this.turn = kNone;
    this.phase = phases.none; // The last recorded phase, and its end.
    this.end = 0;
  }

  // Must be called for spans in the order in which they begin.
  begin(span) {
    const { spans } = this.model;
    if (spans.kind[span] === spanKinds.turn) {
      this.endTurn();
      this.turn = span;
      this.phase = phases.none;
      this.end = spans.start[span];
    } else if (this.turn !== kNone && spans.parent[span] === this.turn) {
      if (spans.kind[span] === spanKinds.phase) this.beginPhase(spans.phase[span], spans.start[span]);
      this.end = spans.end[span];
    }
  }

  beginPhase(phase, start) {
    if (phase === phases.pending && this.phase >= phases.pending) {
      // The rounds of pending between poll and check.
      if (this.phase < phases.poll) this.emitUntil(phases.poll + 1, start);
      this.phase = phases.poll;
      return;
    }
    this.emitUntil(phase, start);
    this.phase = phase;
  }

  // After all that is in the turn. The begin of the next one does it, too.
  endTurn() {
    if (this.turn === kNone) return;
    const isLast = this.turn === this.model.turn;
    if (!isLast) this.emitUntil(phases.closing + 1, this.model.spans.end[this.turn]);
    else if (this.model.ranToEnd) this.emitUntil(phases.closing + 1, this.end); // The rest is not part of the loop.
    this.turn = kNone;
  }

  emitUntil(phase, time) {
    const from = this.end;
    const count = phase - this.phase - 1;
    const share = Math.max(0, time - from) / count;
    for (let i = 0; i < count; i++) {
      this.emit(phaseNames[this.phase + 1 + i], from + i * share, i === count - 1 ? Math.max(from, time) : from +
        (i + 1) * share);
    }
  }
}

// When a span was scheduled, within its cause: arrows begin there.
function arrowStart(model, span) {
  const { spans } = model;
  const cause = spans.cause[span];
  const record = spans.schedule[span];
  const scheduled = record === kNone ? spans.end[cause] : model.time(record);
  return Math.min(Math.max(scheduled, spans.start[cause]), spans.end[cause]);
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

module.exports = { QuietPhases, arrowStart, categories, clockOffsets, detailsOf, nameOf, processName, threadName };
