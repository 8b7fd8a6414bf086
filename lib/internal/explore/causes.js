'use strict';
// Derives causes from a trace: the steps of a run, the steps that happened before each, and the file operations that
// they started. A step happened before another one if that is so in every order that the rules of the loop allow. Where
// the trace does not decide this, it is assumed.
const { operations } = internalBinding('fs');
const { kinds, phases, touches } = require('internal/trace/format');
const { Joins } = require('internal/explore/joins');
const { Step, isBefore } = require('internal/explore/step');

const kMainScript = 1;
const kClose = 'fs.close'; // A key of `operations`.
const kMostSteps = 16_384; // Memory grows with the square of this: 16 MiB.
const kLookBack = 256; // Number of earlier timers and immediates that each one is compared with.

const kStreams = /^node:internal\/fs\/(?:read_stream|write_stream|streams)/;

const kOfLoop = 0;
const kOfJavaScript = 1;
const kOther = 2; // Turns, phases and drains.

class Causes {
  constructor(trace) {
    this.trace = trace;
    this.names = trace.names;
    this.steps = [];
    this.operations = []; // Each with the step and record in which it was scheduled, and the step of its callback.
    this.isCut = trace.dropped > 0; // Part of the trace was not analysed.

    this.unit = null;
    this.open = []; // Open records, each with its step.
    this.scheduled = new Map(); // By id.
    this.served = new Map(); // From the loop's ids to those of JavaScript.
    this.handles = new Map(); // By the loop's id: its name.
    this.promises = new Map();
    this.settled = new Map(); // By id of the promise: the step.
    this.joins = new Joins();
    this.lastRuns = new Map(); // By id: the step that was called last.
    this.ports = new Map(); // By port: the sockets that connect to it.
    this.listeners = new Map(); // By the loop's id: the port.
    this.inFlight = new Map(); // By the loop's id: operations.
    this.descriptors = new Map(); // By path: operations that are over.
    this.timers = [];
    this.immediates = [];
    this.place = 0; // The last place at which the running step scheduled something.
    for (let i = 0; i < trace.count && this.steps.length < kMostSteps; i++) this.read(i);
    if (this.steps.length === kMostSteps) this.isCut = true;
  }

  read(i) {
    const { f64, u32 } = this.trace;
    const id = f64[4 * i + 2];
    const name = u32[8 * i + 3];
    switch (u32[8 * i + 2] & 0xff) {
      case kinds.turn:
        this.open.length = 0;
        break;
      case kinds.phaseBegin:
      case kinds.tickDrainBegin:
      case kinds.microtaskDrainBegin:
        this.open.push({ type: kOther, step: null });
        break;
      case kinds.loopCallbackBegin:
        this.beginOfLoop(i, id);
        break;
      case kinds.callbackBegin:
        this.beginCallback(i, id, name);
        break;
      case kinds.turnCallbackBegin:
        this.open.length = 0;
        this.open.push({ type: kOther, step: null });
        this.beginCallback(i, id, name);
        break;
      case kinds.nextCallbackBegin:
        this.end(kOfJavaScript);
        this.beginCallback(i, id, name);
        break;
      case kinds.innerCallbackBegin:
        this.beginOfLoop(i, -u32[8 * i + 6]);
        this.beginCallback(i, id, name);
        break;
      case kinds.tickBegin:
        this.beginQueued(i, id, name, 'tick');
        break;
      case kinds.microtaskBegin:
        this.beginQueued(i, id, name, 'microtask');
        break;
      case kinds.phaseEnd:
      case kinds.tickDrainEnd:
      case kinds.microtaskDrainEnd:
        this.end(kOther);
        break;
      case kinds.loopCallbackEnd:
        this.end(kOfLoop);
        break;
      case kinds.innerCallbackEnd:
        this.end(kOfJavaScript);
        this.end(kOfLoop);
        break;
      case kinds.callbackEnd:
      case kinds.tickEnd:
      case kinds.microtaskEnd:
        this.end(kOfJavaScript);
        break;
      case kinds.schedule:
        if (id > 0) this.place = u32[8 * i + 6];
        this.scheduled.set(id, {
          step: this.current(i), record: i, name, place: this.place, function: u32[8 * i + 7],
        });
        break;
      case kinds.promiseMade: {
        const parent = f64[4 * i + 3];
        this.place = name;
        this.promises.set(id, { step: this.current(i), record: i, parent, place: name });
        this.joins.made(id, parent, name);
        break;
      }
      case kinds.promiseSettled: {
        const step = this.current(i);
        this.settled.set(id, step);
        this.joins.settled(id, step);
        break;
      }
      case kinds.handleOpened:
        this.handles.set(id, this.names.text(name));
        break;
      case kinds.serves:
        this.served.set(f64[4 * i + 3], id);
        break;
      case kinds.touches:
        this.touch(i, id, this.names.text(name));
        break;
    }
  }

  // The running step. Code outside of all steps belongs to the end of the program.
  current(record) {
    for (let i = this.open.length - 1; i >= 0; i--) {
      if (this.open[i].step !== null) return this.open[i].step;
    }
    const last = this.steps[this.steps.length - 1];
    if (last?.kind === 'exit') return last;
    const step = this.add('exit', 0, record);
    step.join(null);
    step.followAll();
    return step;
  }

  add(kind, id, record) {
    const phase = (this.trace.u32[8 * record + 2] >>> 8) & 0xff;
    const step = new Step(this.steps.length, kind, phase, id, record);
    this.steps.push(step);
    this.place = 0;
    return step;
  }

  innermost() {
    for (let i = this.open.length - 1; i >= 0; i--) {
      if (this.open[i].type !== kOther) return this.open[i];
    }
    return null;
  }

  // Also closes entries that are still open inside it, which an exception may have left.
  end(type) {
    const { open } = this;
    let at = open.length - 1;
    while (at >= 0 && open[at].type !== type) at--;
    if (at >= 0) open.length = at;
  }

  // A request, or a handle to which something happened.
  beginOfLoop(record, id) {
    const step = this.add('callback', id, record);
    step.join(null);
    this.unit = step.unit;
    this.open.push({ type: kOfLoop, step });
    const served = this.served.get(id);
    const scheduled = this.scheduled.get(served) ?? this.scheduled.get(id);
    if (scheduled !== undefined) {
      step.scheduled = scheduled;
      step.follow(scheduled.step);
    }
    const operation = this.inFlight.get(id);
    if (operation !== undefined) {
      operation.done = step;
      this.inFlight.delete(id);
      this.noteDone(operation);
    }
    const isRequest = scheduled !== undefined && !this.handles.has(id);
    // Events of sockets, ports and children have causes that are not in the trace.
    if (!isRequest || step.phase === phases.closing) this.followSenders(step, id);
    this.followLast(step, id);
    this.joins.beginStep(step);
  }

  followSenders(step, id) {
    const clients = step.phase === phases.closing ? undefined : this.ports.get(this.listeners.get(id));
    if (clients === undefined) return step.followAll();
    for (const client of clients) step.follow(client);
    return undefined;
  }

  followLast(step, id) {
    const last = this.lastRuns.get(id);
    if (last !== undefined) step.follow(last);
    this.lastRuns.set(id, step);
    return last;
  }

  beginCallback(record, id, place) {
    const outer = this.innermost();
    const scheduled = this.scheduled.get(id);
    const { u32 } = this.trace;
    if (outer !== null && outer.type === kOfJavaScript) {
      // Called synchronously: it follows the step that scheduled it.
      if (scheduled !== undefined) outer.step.follow(scheduled.step);
      this.open.push({ type: kOfJavaScript, step: outer.step });
      return;
    }
    const step = this.add(id === kMainScript ? 'main' : 'callback', id, record);
    step.join(outer === null ? null : this.unit);
    this.unit = step.unit;
    step.place = place;
    step.event = u32[8 * record + 2] >>> 16;
    this.open.push({ type: kOfJavaScript, step });
    if (scheduled !== undefined) {
      step.scheduled = scheduled;
      step.follow(scheduled.step);
    }
    const last = this.followLast(step, id);
    if (outer === null && step.kind !== 'main') {
      // Outside of phases are 'beforeExit' and 'exit', which come when nothing is left.
      if (scheduled === undefined || step.phase === phases.none) step.followAll();
      else if (step.phase === phases.timers) this.orderTimer(step, last);
      else if (step.phase === phases.check) this.orderImmediate(step);
    }
    step.settle();
    this.joins.beginStep(step);
  }

  // Timers run in the order of their due times. Time does not pass within a unit, and never goes back.
  orderTimer(step, last) {
    const match = /^set(?:Timeout|Interval) (\d+) ms$/.exec(this.names.text(step.scheduled.name));
    if (match === null) return;
    const start = last === undefined ? step.scheduled : { step: last, record: last.record };
    const timer = { step, start, delay: +match[1] };
    for (const other of this.timers) {
      const isDueBefore = other.delay < timer.delay && other.start.step.unit === start.step.unit;
      if (isDueBefore || (other.delay <= timer.delay && isBefore(other.start, start))) step.follow(other.step);
    }
    // An immediate that is set in poll is called before timers are looked at again.
    if (start.step.unit.root.phase === phases.poll) {
      for (const immediate of this.immediates) {
        if (immediate.start.step.unit === start.step.unit) step.follow(immediate.step);
      }
    }
    remember(this.timers, timer);
  }

  // In the order in which they were set.
  orderImmediate(step) {
    for (const other of this.immediates) {
      if (isBefore(other.start, step.scheduled)) step.follow(other.step);
    }
    remember(this.immediates, { step, start: step.scheduled });
  }

  // A tick or microtask.
  beginQueued(record, id, place, kind) {
    const step = this.add(kind, id, record);
    step.join(this.unit);
    this.unit = step.unit;
    step.place = place;
    this.open.push({ type: kOfJavaScript, step });
    const scheduled = this.scheduled.get(id);
    const promise = scheduled === undefined ? this.promises.get(id) : undefined;
    if (scheduled !== undefined) {
      step.scheduled = scheduled;
      step.follow(scheduled.step);
    } else if (promise !== undefined && promise.parent !== 0) {
      this.followPromise(step, promise);
    } else {
      // A promise was resolved with another one: the job follows the step that did so.
      step.scheduled = promise ?? null;
      step.followUnit();
    }
    step.settle();
    this.joins.beginStep(step);
  }

  // A reaction follows the step that registered it and the step that settled the promise.
  followPromise(step, promise) {
    const settled = this.settled.get(promise.parent) ?? this.promises.get(promise.parent)?.step;
    step.follow(promise.step);
    if (settled !== undefined) step.follow(settled);
    const isLater = settled !== undefined && settled.number > promise.step.number;
    step.scheduled = { step: isLater ? settled : promise.step, record: promise.record, name: 0, place: promise.place };
  }

  touch(record, id, what) {
    const { u32 } = this.trace;
    const detail = u32[8 * record + 2] >>> 16;
    const writes = detail === touches.writes;
    if (what.startsWith('port:')) {
      if (writes) this.listeners.set(id, what);
      else if (this.ports.has(what)) this.ports.get(what).push(this.current(record));
      else this.ports.set(what, [this.current(record)]);
      return;
    }
    if (!what.startsWith('file:')) return;
    const touched = { path: what.slice('file:'.length), writes };
    if (detail === touches.closes) {
      this.followDescriptor(record, id, touched.path, kClose);
      return;
    }
    const known = this.inFlight.get(id);
    if (known !== undefined) {
      known.touches.push(touched);
      return;
    }
    const step = this.current(record);
    const scheduled = id < 0 ? this.scheduled.get(this.served.get(id)) ?? this.scheduled.get(id) : undefined;
    const operation = {
      // Synchronous operations are named after the called function.
      label: this.names.text(
        scheduled === undefined ? u32[8 * record + 7] : this.scheduled.get(id)?.name ?? scheduled.name),
      place: scheduled === undefined ? u32[8 * record + 6] : scheduled.place,
      isAtOnce: id >= 0,
      touches: [touched],
      step,
      record,
      done: id < 0 ? null : step,
    };
    this.operations.push(operation);
    if (id >= 0) return;
    this.inFlight.set(id, operation);
    operation.isOfStream = this.followDescriptor(record, id, touched.path, operation.label);
  }

  // An operation on a descriptor follows the one that opened it. Operations of one stream follow each other, no matter
  // which step started them.
  followDescriptor(record, id, path, label) {
    const { function: callback = 0 } = this.scheduled.get(this.served.get(id)) ?? {};
    const isOfStream = kStreams.test(this.names.place(callback).file);
    if (!operations[label]?.isByDescriptor) return isOfStream;
    const step = this.current(record);
    for (const { operation, isOpening } of this.descriptors.get(path) ?? []) {
      if (isOpening || (isOfStream && operation.isOfStream)) step.follow(operation.done);
    }
    return isOfStream;
  }

  noteDone(operation) {
    const isOpening = operations[operation.label]?.isOpening === true;
    if (!isOpening && !operation.isOfStream) return;
    const { path } = operation.touches[0];
    const known = this.descriptors.get(path);
    if (known === undefined) this.descriptors.set(path, [{ operation, isOpening }]);
    else remember(known, { operation, isOpening });
  }

  // True if one operation had ended before the other one, which was started later, could begin.
  isOrdered(one, other) {
    if (one.done === null) return false;
    return one.done === other.step || other.step.isAfter(one.done);
  }
}

function remember(list, one) {
  list.push(one);
  if (list.length > kLookBack) list.shift();
}

module.exports = { Causes };
