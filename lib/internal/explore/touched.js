'use strict';
// File operations from the log of an explored run or from a trace, in one form: a key that identifies the operation
// across runs, the paths, the cause, and when it was started and completed.
const { handleKinds } = internalBinding('loop');
const { parseLog } = require('internal/explore/explain');
const { phases } = require('internal/trace/format');

// Descriptors without a path: their names differ from run to run.
const kNameless = /^(socket|pipe|anon_inode):/;
const kAtOnce = 'at once';
const kLongestChain = 16;

class Counter {
  #counts = new Map();

  // A key made of the operation, the place that started it, and the callback around that: 'main', 'timer', 'other', or
  // the key of an operation. Operations that agree in all of these are numbered.
  keyOf(label, about, place, cause) {
    const name = `${label} ${about} ${place} < ${hash(cause)}`;
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return `${name} #${count}`;
  }
}

// Chains of causes are long: keys hold a number in place of them.
function hash(text) {
  let high = 0x9e3779b9;
  let low = 0x85ebca6b;
  for (let i = 0; i < text.length; i++) {
    const letter = text.charCodeAt(i);
    high = Math.imul(high ^ letter, 0x01000193) ^ (low >>> 15);
    low = Math.imul(low + letter, 0xc2b2ae35) ^ (high >>> 13);
  }
  return `${(high >>> 0).toString(36)}${(low >>> 0).toString(36)}`;
}

function touchesOf(about, writes) {
  if (about === '' || kNameless.test(about)) return [];
  return about.split(' -> ').map((path) => ({ path, writes }));
}

function nameOf({ label, about, place }, story) {
  return story.name({ id: 1, label, fd: -1 }, new Map([[1, { label, about, place }]]));
}

function causeKeyOf(cause) {
  if (cause === null) return 'main';
  if (cause.label === handleKinds.timer) return 'timer';
  return cause.isOther ? 'other' : cause.key;
}

// Reads operations from a log. `scheduled` and `done` are numbers of events.
function operationsOfLog(log, folder) {
  const operations = [];
  const byId = new Map();
  const counter = new Counter();
  let current = null; // The id of the running callback; null in the main script.
  const add = (label, about, { place, writes }, scheduled, done) => {
    const operation = {
      key: counter.keyOf(label, about, place, causeKeyOf(current)), label, about, place,
      touches: touchesOf(about, writes), cause: current, scheduled, done,
    };
    if (operation.touches.length > 0) operations.push(operation);
    return operation;
  };
  parseLog(log).forEach((event, i) => {
    if (event.delivered !== undefined) {
      const operation = byId.get(event.delivered);
      if (operation !== undefined) operation.done = i;
      current = operation ?? { label: event.label, place: '', about: '', cause: null, isOther: true };
    } else if (event.scheduled !== undefined) {
      byId.set(event.scheduled, add(event.label, event.about.replaceAll(folder, '$TMPDIR'), event, i, Infinity));
    } else if (event.touched !== undefined) {
      add(kAtOnce, event.touched.replaceAll(folder, '$TMPDIR'), event, i, i);
    }
  });
  return operations;
}

// From the operation back to the main script.
function chainOfLog(operation, story) {
  const chain = [];
  for (let at = operation.cause; at !== null && at !== undefined; at = at.cause) {
    chain.push(at.isOther ? story.name({ id: 0, label: at.label === handleKinds.timer ? 'a timer' : at.label, fd: -1 },
      new Map()) :
      nameOf(at, story));
  }
  return [...chain, 'the main script'];
}

// Operations of a trace, related to its steps, which are ordered by cause.
class TracedOperations {
  constructor(causes, folder) {
    const { pid } = causes.trace.header;
    this.causes = causes;
    this.folder = folder;
    this.ofProcess = new RegExp(`(?<!\\d)${pid}(?!\\d)`, 'g');
    this.byStep = new Map();
    const counter = new Counter();
    this.list = causes.operations.map((operation) => {
      const touches = operation.touches.map(({ path, writes }) => ({ path: this.path(path), writes }));
      const about = touches.map(({ path }) => path).join(' -> ');
      const place = this.place(operation.place);
      const one = {
        key: counter.keyOf(operation.isAtOnce ? kAtOnce : operation.label, about, place,
          this.#causeKeyOf(operation.step)),
        label: operation.label || kAtOnce, about, touches, traced: operation,
        place: place === '' ? this.origin(operation.step) : place,
      };
      if (operation.done !== null && !operation.isAtOnce) this.byStep.set(operation.done, one);
      return one;
    });
  }

  #causeKeyOf({ unit: { root } }) {
    if (root.kind === 'main') return 'main';
    const operation = this.byStep.get(root);
    if (operation !== undefined) return operation.key;
    return root.phase === phases.timers ? 'timer' : 'other';
  }

  path(path) {
    return path.replaceAll(this.folder, '$TMPDIR').replace(this.ofProcess, 'PID');
  }

  place(number) {
    const { file, line, column } = this.causes.names.place(number);
    return file === '' ? '' : `${file}:${line}:${column}`;
  }

  // The place in the program that started the work which lib continues in this step.
  origin(step) {
    for (let at = step; at !== undefined; at = at.scheduled?.step) {
      const place = at.scheduled === null ? '' : this.place(at.scheduled.place);
      if (place !== '') return place;
    }
    return '';
  }

  #nameOf(step, story) {
    if (step.kind === 'main') return 'the main script';
    if (step.kind === 'exit') return 'the end of the program';
    const operation = this.byStep.get(step) ?? (step.kind === 'callback' ? this.byStep.get(step.unit.root) : undefined);
    if (operation !== undefined) return nameOf(operation, story);
    const { names } = this.causes;
    const place = this.place(step.scheduled?.place ?? 0) || (step.kind === 'callback' ? this.place(step.place) : '');
    // Steps that lib scheduled itself are left out.
    if (place === '' || place.startsWith('node:')) return '';
    if (step.kind === 'tick' && this.place(step.place).startsWith('node:')) return '';
    if (step.kind !== 'callback') {
      return `the ${step.kind === 'tick' ? 'tick' : 'continuation'} (${story.place(place)})`;
    }
    const what = names.text(step.scheduled?.name ?? 0).replace(/^set(?:Timeout|Interval)/, 'timer of').replace('setI', 'i');
    const event = names.text(step.event);
    return `the ${what || 'callback'}${event === '' ? '' : `: ${event}`} (${story.place(place)})`;
  }

  chainOf(operation, story) {
    const chain = [];
    for (let step = operation.traced.step; step !== undefined; step = step.scheduled?.step) {
      const name = this.#nameOf(step, story);
      const last = chain[chain.length - 1];
      if (name === '' || name === last) continue;
      // Replace a continuation by the operation that it awaited at the same place.
      const place = / \(.*\)$/.exec(name)?.[0];
      if (last?.startsWith('the continuation') && place !== undefined && last.endsWith(place)) chain.pop();
      chain.push(name);
      if (chain.length === kLongestChain) break;
    }
    return chain;
  }

  isOrdered(one, other) {
    return this.causes.isOrdered(one.traced, other.traced);
  }
}

module.exports = { TracedOperations, chainOfLog, nameOf, operationsOfLog };
