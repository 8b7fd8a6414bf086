// Spans as text: the same in the panel, in lists, on the canvas and for screen readers.
import { nameOfPhase } from './model.js';
import { isServed, nameOfRequest, outcomeOf } from './requests.js';
import { Span } from './thread.js';
import * as callbacks from 'internal/trace/callbacks';

export function formatTime(ns) {
  if (!Number.isFinite(ns)) return '–';
  const size = Math.abs(ns);
  if (size < 1e3) return `${Math.round(ns)} ns`;
  if (size < 1e6) return `${digits(ns / 1e3)} µs`;
  if (size < 1e9) return `${digits(ns / 1e6)} ms`;
  return `${digits(ns / 1e9)} s`;
}

// A value of a counter; empty before the first.
export function formatValue({ unit }, value) {
  if (Number.isNaN(value)) return '';
  return unit === 'ns' ? formatTime(value) : formatCount(value);
}

// Three significant digits.
function digits(number) {
  const size = Math.abs(number);
  return number.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

export function formatCount(number) {
  return number.toLocaleString('en-GB');
}

export function plural(number, one, many = `${one}s`) {
  return `${formatCount(number)} ${number === 1 ? one : many}`;
}

export function shortFile(file) {
  return file.slice(file.lastIndexOf('/') + 1);
}

// app.js:12
export function formatPlace(place) {
  if (place.file === '') return '';
  return place.line > 0 ? `${shortFile(place.file)}:${place.line}` : shortFile(place.file);
}

const kKinds = {
  [Span.turn]: 'turn',
  [Span.phase]: 'phase',
  [Span.loopCallback]: 'callback of the loop',
  [Span.callback]: 'callback',
  [Span.ticks]: 'draining of ticks',
  [Span.tick]: 'tick',
  [Span.microtasks]: 'draining of microtasks',
  [Span.microtask]: 'microtask',
  [Span.wait]: 'sleep in poll',
  [Span.job]: 'job on the pool',
  [Span.request]: 'HTTP request',
};

export function kindOf(thread, span) {
  return kKinds[thread.spans.kind[span]];
}

export function isMainScript(thread, span) {
  return thread.spans.kind[span] === Span.callback && thread.spans.id[span] === 1;
}

// The API that scheduled the span, as in the program: setTimeout 0, fs.readFile, promise.
export function whatOf(thread, span) {
  const { kind, name, phase } = thread.spans;
  switch (kind[span]) {
    case Span.loopCallback:
      return thread.names.text(name[span]) || callbacks.whatOf(thread.model, span);
    case Span.job:
      return thread.names.text(name[span]) || 'job';
    case Span.phase:
      return nameOfPhase(phase[span]);
    case Span.request:
      return isServed(thread, span) ? 'HTTP request' : 'request to a server';
    case Span.callback:
    case Span.tick:
    case Span.microtask:
      return callbacks.whatOf(thread.model, span);
    default:
      return kKinds[kind[span]];
  }
}

const kNowhere = { functionName: '', file: '', line: 0, column: 0 };

// The source position of the span's function.
export function placeOf(thread, span) {
  return thread.isCallback(span) ? callbacks.functionOf(thread.model, span) : kNowhere;
}

function isOfProgram(place) {
  return place.file !== '' && !place.file.startsWith('node:');
}

// A position in user code: that of the function, or where the span was scheduled.
export function shownPlace(thread, span) {
  const place = placeOf(thread, span);
  if (isOfProgram(place) || !thread.isCallback(span)) return place;
  const scheduled = callbacks.scheduledOf(thread.model, span);
  return scheduled !== null && isOfProgram(scheduled.place) ? scheduled.place : place;
}

// The shortest name that identifies the span for a reader.
export function titleOf(thread, span) {
  const { kind, id, tasks, phase } = thread.spans;
  switch (kind[span]) {
    case Span.turn:
      return `turn ${formatCount(id[span])}`;
    case Span.phase:
      return nameOfPhase(phase[span]);
    case Span.wait:
      return 'sleeping';
    case Span.ticks:
      return plural(tasks[span], 'tick');
    case Span.microtasks:
      return plural(tasks[span], 'microtask');
    case Span.loopCallback:
    case Span.job:
      return whatOf(thread, span);
    case Span.request:
      return `${nameOfRequest(thread, span)} ${outcomeOf(thread, span)}`;
    default: {
      const place = placeOf(thread, span);
      if (isMainScript(thread, span)) return shortFile(place.file) || 'main script';
      return place.functionName || whatOf(thread, span);
    }
  }
}

// One sentence, for screen readers.
export function sentenceOf(thread, span) {
  const { spans } = thread;
  const parts = [titleOf(thread, span)];
  const what = whatOf(thread, span);
  if (what !== parts[0]) parts.push(what);
  const where = formatPlace(shownPlace(thread, span));
  if (where !== '') parts.push(`at ${where}`);
  if (spans.phase[span] > 0 && spans.kind[span] !== Span.phase) parts.push(`in ${nameOfPhase(spans.phase[span])}`);
  parts.push(`took ${formatTime(thread.duration(span))}`);
  const wait = thread.isCallback(span) ? callbacks.waitOf(thread.model, span) : NaN;
  if (!Number.isNaN(wait)) parts.push(`after waiting ${formatTime(wait)}`);
  return `${parts.join(', ')}.`;
}
