'use strict';
// Operations on files, as the log of an explored run tells of them, and as the trace of a run does, in one form: with a
// key by which the same one is known again in another run, the paths, what led to it, and when it was asked for and over.
const { parseLog } = require('internal/explore/explain');
const { phases } = require('internal/trace/format');

// What has no path of its own: its name differs from run to run.
const kNameless = /^(socket|pipe|anon_inode):/;
const kAtOnce = 'at once';
const kLongestChain = 16;

class Counter {
  #counts = new Map();

  // By what it is, where it was asked for and in whose callback: 'main', 'timer', 'other', or the key of an operation. The
  // first, second and so on of what is alike in all of that are told apart.
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
  if (cause.label === 'timer') return 'timer';
  return cause.isOther ? 'other' : cause.key;
}

// What a log tells: `asked` and `done` are numbers of events.
function operationsOfLog(log, folder) {
  const operations = [];
  const byId = new Map();
  const counter = new Counter();
  let current = null; // Whose callback runs; null in the main script.
  const add = (label, about, { place, writes }, asked, done) => {
    const operation = {
      key: counter.keyOf(label, about, place, causeKeyOf(current)), label, about, place, touches: touchesOf(about, writes), cause: current,
      asked, done,
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
    chain.push(at.isOther ? story.name({ id: 0, label: at.label === 'timer' ? 'a timer' : at.label, fd: -1 }, new Map()) :
      nameOf(at, story));
  }
  return [...chain, 'the main script'];
}

// What a trace tells: in terms of its steps, whose order is that of causes.
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
        key: counter.keyOf(operation.isAtOnce ? kAtOnce : operation.label, about, place, this.#causeKeyOf(operation.step)),
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

  // Where the program asked for what lib goes on with in this step.
  origin(step) {
    for (let at = step; at !== undefined; at = at.asked?.step) {
      const place = at.asked === null ? '' : this.place(at.asked.place);
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
    const place = this.place(step.asked?.place ?? 0) || (step.kind === 'callback' ? this.place(step.place) : '');
    // What lib does on its own behalf says nothing.
    if (place === '' || place.startsWith('node:')) return '';
    if (step.kind === 'tick' && this.place(step.place).startsWith('node:')) return '';
    if (step.kind !== 'callback') return `the ${step.kind === 'tick' ? 'tick' : 'continuation'} (${story.place(place)})`;
    const what = names.text(step.asked?.name ?? 0).replace(/^set(?:Timeout|Interval)/, 'timer of').replace('setI', 'i');
    const event = names.text(step.event);
    return `the ${what || 'callback'}${event === '' ? '' : `: ${event}`} (${story.place(place)})`;
  }

  chainOf(operation, story) {
    const chain = [];
    for (let step = operation.traced.step; step !== undefined; step = step.asked?.step) {
      const name = this.#nameOf(step, story);
      const last = chain[chain.length - 1];
      if (name === '' || name === last) continue;
      // What goes on where it waited says no more than what it waited for.
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
