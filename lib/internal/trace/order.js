'use strict';
// The callbacks of a run, numbered in the order in which they ran, each with the callback that scheduled it and the
// rule that determined its position. For `rondo order`.
const { describe } = require('internal/trace/callbacks');
const { kNone } = require('internal/trace/model');
const { count, duration, functionAt, location, plural, printable, wrap } = require('internal/trace/words');

const kNumberGap = 2;
const kPhaseWidth = 10;

function placeOf(place) {
  if (place.file === '') return null;
  return { function: place.functionName, file: place.file, line: place.line, column: place.column };
}

// The number of callbacks.
function countCallbacks(model) {
  let callbacks = 0;
  for (let span = 0; span < model.spans.count; span++) {
    if (model.isCallback(span)) callbacks++;
  }
  return callbacks;
}

// The first `limit` callbacks, as plain data. `by` is the number of the callback that scheduled it, `calledBy` of the
// callback that called it synchronously; 0 if there was none.
function* steps(model, limit) {
  const { spans } = model;
  const numbers = new Int32Array(spans.count);
  let number = 0;
  for (let span = 0; span < spans.count && number < limit; span++) {
    if (!model.isCallback(span)) continue;
    numbers[span] = ++number;
    const about = describe(model, span);
    yield {
      number,
      kind: about.kind,
      phase: about.phase,
      turn: about.turn,
      what: about.what,
      place: placeOf(about.place),
      by: about.cause === kNone ? 0 : numbers[about.cause],
      calledBy: about.caller === kNone ? 0 : numbers[about.caller],
      scheduled: about.scheduled === null ? null : placeOf(about.scheduled.place),
      at: about.start,
      duration: about.duration,
      wait: Number.isNaN(about.wait) ? null : about.wait,
      late: Number.isNaN(about.late) ? null : about.late,
      rule: about.rule,
    };
  }
}

function phaseOf(step) {
  if (step.kind === 'main') return 'main';
  if (step.kind !== 'callback') return step.kind;
  return step.phase === 'none' ? 'outside' : step.phase;
}

function* stepLines(step, numberWidth, style, folder) {
  const number = String(step.number).padStart(numberWidth);
  const margin = ' '.repeat(numberWidth + kNumberGap);
  const phase = phaseOf(step).padEnd(kPhaseWidth);
  const where = functionAt(step.place, folder);
  const name = printable(step.what) + (where === '' ? '' : `, ${where}`);
  const inner = `${margin}${' '.repeat(kPhaseWidth + 1)}`;
  const lines = wrap(name, style.width - inner.length);
  yield `${style.bold(number)}  ${style.cyan(phase)} ${lines[0]}`;
  for (const line of lines.slice(1)) yield inner + line;
  const origin = location(step.scheduled, folder);
  const by = step.by > 0 ? `scheduled by ${step.by}` : origin === '' ? '' : 'scheduled';
  const from = by === '' ? '' : `${by}${origin === '' ? '' : ` at ${origin}`}`;
  const late = step.late !== null && step.late >= 1e6 ? `${duration(step.late)} late` : '';
  const caller = step.calledBy === 0 ? '' : `called by ${step.calledBy}`;
  const first = [from, caller, late].filter((text) => text !== '').join(', ');
  if (first !== '') for (const line of wrap(first, style.width - inner.length)) yield style.dim(inner + line);
  for (const line of wrap(`${step.rule.id}: ${step.rule.text}`, style.width - inner.length)) {
    yield style.dim(inner + line);
  }
}

// The list, line by line.
function* orderLines(model, limit, style, folder) {
  const all = countCallbacks(model);
  const numberWidth = String(Math.min(all, limit)).length;
  let turn = -1;
  for (const step of steps(model, limit)) {
    if (step.turn !== turn) {
      const before = turn;
      turn = step.turn;
      const outside = before > 0 ? `after turn ${count(before)}` : 'before the first turn';
      yield style.dim(turn === 0 ? outside : `turn ${count(turn)}`);
    }
    yield* stepLines(step, numberWidth, style, folder);
  }
  if (all > limit) yield `${plural(all - limit, 'more callback')}; --limit=N shows N of them, --limit=0 all`;
  if (model.trace.dropped > 0) {
    yield `The first ${plural(model.trace.dropped, 'record')} were overwritten: use --trace-buffer=MIB to keep more.`;
  }
}

module.exports = { orderLines, steps };
