'use strict';
// Describes one callback of a model: its kind and function, the place and callback that scheduled it, its delay, and
// the rule that determined its position.
const { kinds, phaseNames, phases } = require('internal/trace/format');
const { kMainScript, kFirstRun, kNone, kOfPool, spanKinds } = require('internal/trace/model');
const { ruleOf } = require('internal/trace/rules');

// Default names by phase, for callbacks that have none in the trace.
const usualNames = ['callback', 'timer', 'pending callback', 'idle callback', 'prepare callback', 'I/O', 'immediate',
  'close'];

function kindOf(model, span) {
  if (span === kNone) return '';
  const { spans } = model;
  switch (spans.kind[span]) {
    case spanKinds.tick:
      return 'tick';
    case spanKinds.microtask:
      return 'microtask';
    default:
      return spans.id[span] === kMainScript ? 'main' : 'callback';
  }
}

function isScheduleRecord(model, record) {
  return record !== kNone && model.kind(record) === kinds.schedule;
}

// Replaces the generic name 'fs' by the name of the loop's request.
function moreOf(model, span, text) {
  const { spans, names } = model;
  const owner = spans.parent[span];
  if (text !== 'fs' || owner === kNone || spans.kind[owner] !== spanKinds.loopCallback) return text;
  return names.text(spans.name[owner]) || text;
}

// `setTimeout 10 ms`, `fs.readFile`, `tcp socket: data`, `promise`.
function whatOf(model, span) {
  const { spans, names } = model;
  const kind = kindOf(model, span);
  if (kind === 'main') return 'main script';
  const record = spans.schedule[span];
  if (isScheduleRecord(model, record)) {
    const text = moreOf(model, span, names.text(model.name(record)));
    const event = kind === 'callback' ? names.text(spans.event[span]) : '';
    if (text !== '') return event === '' ? text : `${text}: ${event}`;
  }
  if (kind === 'tick') return 'process.nextTick';
  if (kind === 'microtask') return 'promise';
  const owner = spans.kind[span] === spanKinds.loopCallback ? span : spans.parent[span];
  if (owner !== kNone && spans.kind[owner] === spanKinds.loopCallback) {
    const text = names.text(spans.name[owner]);
    if (text !== '') return text;
  }
  return usualNames[spans.phase[span]];
}

// The file of the main script, as the command line has it: options, some with a value apart, then the program.
function mainPlace(model) {
  const words = model.header.commandLine;
  for (let i = 1; i < words.length; i++) {
    if (/^(?:-e|-p|-pe|--eval|--print)$/.test(words[i]) || words[i].startsWith('--eval=')) break;
    if (/^(?:-r|-C|--require|--import|--conditions|--input-type)$/.test(words[i])) i++;
    else if (words[i] === '-') break;
    else if (!words[i].startsWith('-')) return { functionName: '', file: words[i], line: 0, column: 0 };
  }
  return model.names.place(0);
}

// The place of its function; empty if it is not known.
function functionOf(model, span) {
  const { spans, names } = model;
  if (spans.id[span] === kMainScript && spans.name[span] === 0) return mainPlace(model);
  if (spans.kind[span] === spanKinds.loopCallback) return names.place(0);
  const place = names.place(spans.name[span]);
  const record = spans.schedule[span];
  if (place.file !== '' || !isScheduleRecord(model, record)) return place;
  return names.place(model.second(record));
}

const kFarthest = 32; // Limit for following causes.

// The place at which the program scheduled something: that of the record or, if lib scheduled it in a callback, the
// place at which the program scheduled that callback.
function originOf(model, record, cause) {
  const { names, spans } = model;
  let where = record;
  let span = cause;
  for (let i = 0; i < kFarthest; i++) {
    if (where !== kNone) {
      const place = names.place(model.kind(where) === kinds.schedule ? model.first(where) : model.name(where));
      if (place.file !== '') return place;
    }
    if (span === kNone) break;
    where = spans.schedule[span];
    span = spans.cause[span];
  }
  return names.place(0);
}

// The place and time at which the callback was scheduled; null if unknown.
function scheduledOf(model, span) {
  const record = model.spans.schedule[span];
  if (record === kNone) return null;
  return { place: originOf(model, record, model.spans.cause[span]), time: model.time(record) };
}

// The delay since the callback was scheduled. NaN if it is not the first run, and for events of handles other than
// 'close', because nothing schedules a connection.
function waitOf(model, span) {
  const { spans } = model;
  const record = spans.schedule[span];
  if (record === kNone || spans.kind[span] === spanKinds.loopCallback) return NaN;
  const isEvent = spans.event[span] !== 0 && spans.kind[span] === spanKinds.callback;
  if (isEvent && spans.phase[span] !== phases.closing) return NaN;
  if (spans.kind[span] !== spanKinds.microtask && (spans.flags[span] & kFirstRun) === 0) return NaN;
  return Math.max(0, spans.start[span] - model.time(record));
}

// Lateness of a timer; NaN for others.
function latenessOf(model, span) {
  const { spans } = model;
  if (spans.kind[span] !== spanKinds.callback || spans.phase[span] !== phases.timers) return NaN;
  const due = spans.value[span];
  return due > 0 ? Math.max(0, spans.start[span] - due) : NaN;
}

// The JavaScript callback that scheduled it, -1 if there was none.
function causeOf(model, span) {
  const { spans } = model;
  const cause = spans.cause[span];
  return cause !== kNone && model.isCallback(cause) ? cause : kNone;
}

// The callback that called it synchronously, as runInAsyncScope() does; -1 if the loop did.
function callerOf(model, span) {
  const { spans } = model;
  if (spans.kind[span] !== spanKinds.callback) return kNone;
  const parent = spans.parent[span];
  return parent !== kNone && spans.kind[parent] !== spanKinds.loopCallback && model.isCallback(parent) ? parent : kNone;
}

// The last sleep of poll that ended before this time, by binary search; -1 if there was none.
function sleepBefore(model, span) {
  const { sleeps, spans } = model;
  let low = 0;
  let high = sleeps.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sleeps.end[middle] <= spans.start[span]) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// True if poll slept before the callback, in the same turn.
function hasSlept(model, span) {
  const { sleeps, spans } = model;
  const sleep = sleepBefore(model, span);
  return sleep >= 0 && sleeps.turn[sleep] === spans.turn[span] && sleeps.limit[sleep] !== 0;
}

const kSoonAfter = 1e6; // Nanoseconds.

// True if a timer is late because the sleep before it ended after its deadline.
function wokeLate(model, span) {
  const { sleeps, spans } = model;
  const sleep = sleepBefore(model, span);
  const due = spans.value[span];
  return sleep >= 0 && sleeps.start[sleep] <= due && sleeps.end[sleep] > due && spans.start[span] -
    sleeps.end[sleep] < kSoonAfter;
}

function factsOf(model, span) {
  const { spans } = model;
  const cause = causeOf(model, span);
  const what = whatOf(model, span);
  return {
    kind: kindOf(model, span),
    phase: phaseNames[spans.phase[span]],
    what,
    causeKind: kindOf(model, cause),
    causePhase: cause === kNone ? '' : phaseNames[spans.phase[cause]],
    isSameTurn: cause !== kNone && spans.turn[cause] === spans.turn[span],
    late: latenessOf(model, span),
    wokeLate: spans.phase[span] === phases.timers && wokeLate(model, span),
    isNested: callerOf(model, span) !== kNone,
    isInterval: what.startsWith('setInterval') && (spans.flags[span] & kFirstRun) === 0,
    isShort: /^setTimeout [01] ms$/.test(what),
    isOfPool: (spans.flags[span] & kOfPool) !== 0,
    isDatagram: /^udp socket\b/.test(what),
    isMessage: /\bmessage|\bworker|\basync\b/i.test(what),
    isSocket: /\b(?:socket|pipe)\b/.test(what) && !what.includes('server'),
    hasSlept: spans.phase[span] === phases.poll && hasSlept(model, span),
    isPerPhase: model.header.commandLine.includes('--ticks=per-phase'),
  };
}

// All facts above. Times are in nanoseconds of the trace; `cause` and `caller` are spans.
function describe(model, span) {
  const { spans } = model;
  const facts = factsOf(model, span);
  return {
    kind: facts.kind,
    what: facts.what,
    phase: facts.phase,
    turn: spans.turn[span] === kNone ? 0 : spans.id[spans.turn[span]],
    id: spans.id[span],
    start: spans.start[span],
    duration: model.duration(span),
    own: model.own(span),
    place: functionOf(model, span),
    scheduled: scheduledOf(model, span),
    cause: causeOf(model, span),
    caller: callerOf(model, span),
    wait: waitOf(model, span),
    late: facts.late,
    rule: ruleOf(facts),
  };
}

module.exports = {
  describe,
  factsOf,
  kindOf,
  mainPlace,
  whatOf,
  functionOf,
  originOf,
  scheduledOf,
  waitOf,
  latenessOf,
  causeOf,
};
