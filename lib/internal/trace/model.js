'use strict';
// The model of a trace: nested spans (turns, phases, callbacks, drains, ticks and microtasks), each with its cause, and
// the jobs of the pool, the sleeps of poll, and other events. Everything is in typed arrays indexed by the number of
// the span, so that a million records are read in about a second.
const { kLastKind, kinds, phases } = require('internal/trace/format');
const { IdTable } = require('internal/trace/id_table');
const { RequestBuilder } = require('internal/trace/requests');
const { Jobs, Notes, Sleeps, Spans } = require('internal/trace/tables');

const spanKinds = {
  turn: 0,
  phase: 1,
  loopCallback: 2,
  callback: 3,
  tickDrain: 4,
  tick: 5,
  microtaskDrain: 6,
  microtask: 7,
};
const kMainScript = 1; // Its id.
const kNone = -1;
// Recursive runInAsyncScope() nests callbacks; deeper ones are left out, and counted.
const kDeepest = 1000;
const kLongestTime = 1e18; // Thirty years, in nanoseconds.

// Bits of Spans.flags.
const kFirstRun = 1; // The first since it was scheduled: the time between is how long it waited.
const kEndUnknown = 2; // The record of its end is missing.
const kOfPool = 4; // Its work was done by the pool.
// Of callbacks of the loop: JavaScript ran in it, and in callbacks that were recorded as such.
const kRanJavaScript = 8;
const kHasCallback = 16;

class Model {
  constructor(trace) {
    this.trace = trace;
    this.names = trace.names;
    this.header = trace.header;
    this.skipped = 0; // Invalid records.
    this.lost = 0; // Records that were overwritten while a running program was copied.
    this.badNames = 0;
    this.unmatched = 0; // Ends without a begin, which may have been overwritten.
    this.tooDeep = 0;
    this.begins = 0; // The first and the last time.
    this.ends = 0;
    this.exitCode = trace.header.exitCode;
    this.cancelled = 0;

    const counts = this.countKinds();
    this.turnCount = counts[kinds.turn] + counts[kinds.turnCallbackBegin];
    const spanCount = this.turnCount + counts[kinds.phaseBegin] + counts[kinds.loopCallbackBegin] +
      counts[kinds.callbackBegin] + counts[kinds.tickDrainBegin] + counts[kinds.tickBegin] +
      counts[kinds.microtaskDrainBegin] + counts[kinds.microtaskBegin] +
      2 * counts[kinds.turnCallbackBegin] + counts[kinds.nextCallbackBegin] + 2 * counts[kinds.innerCallbackBegin];
    this.spans = new Spans(spanCount);
    this.jobs = new Jobs(counts[kinds.jobQueued] + counts[kinds.jobStarted] + counts[kinds.jobFinished]);
    this.sleeps = new Sleeps(counts[kinds.pollWaits]);
    this.gauges = new Notes(counts[kinds.gauge]);
    this.blocked = new Notes(counts[kinds.blocked]);
    this.uncaught = new Notes(counts[kinds.uncaught]);
    this.leftovers = new Notes(counts[kinds.refd]); // Resources that kept the loop alive.
    this.leftoverOrigins = []; // The results of originOf() for them.
    this.touches = new Notes(counts[kinds.touches]);

    // By id, each with the number of a record and that of the callback it stands in.
    this.scheduled = new IdTable(counts[kinds.schedule]);
    this.promises = new IdTable(counts[kinds.promiseMade]);
    this.settled = new IdTable(counts[kinds.promiseSettled]);
    this.handles = new IdTable(counts[kinds.handleOpened]);
    this.openJobs = new IdTable(counts[kinds.jobQueued]); // With the number of the job.
    this.requestBuilder = new RequestBuilder(this, counts);
    this.requests = this.requestBuilder.table;
    this.served = new Map(); // From the loop's ids to those of JavaScript.

    // The stack of open spans, and for each the callback that is the cause of spans inside it.
    this.open = [];
    this.causes = [kNone];
    this.openOfKind = new Uint32Array(8);
    this.turn = kNone;
    this.asleep = false;
    this.build();
    this.openHandles = this.findOpenHandles();
    this.scheduled = this.promises = this.settled = this.handles = this.openJobs = this.served = null;
    this.requestBuilder = null;
  }

  // Number of records of each kind; also removes invalid ones, by making their kind 0.
  countKinds() {
    const { f64, u32, count, names } = this.trace;
    const counts = new Float64Array(kLastKind + 1);
    let begins = Infinity;
    let ends = -Infinity;
    for (let i = 0; i < count; i++) {
      const kind = u32[8 * i + 2] & 0xff;
      const time = f64[4 * i];
      if (kind === 0) { // Overwritten while a copy was made.
        this.lost++;
        continue;
      }
      if (!(time >= 0 && time <= kLongestTime) || kind > kLastKind || Number.isNaN(f64[4 * i + 2])) {
        u32[8 * i + 2] &= ~0xff;
        this.skipped++;
        continue;
      }
      if (u32[8 * i + 3] > names.count) {
        u32[8 * i + 3] = 0;
        this.badNames++;
      }
      if (kind === kinds.innerCallbackBegin && u32[8 * i + 7] > names.count) {
        u32[8 * i + 7] = 0;
        this.badNames++;
      }
      counts[kind]++;
      if (time < begins) begins = time;
      if (time > ends) ends = time;
    }
    if (ends >= begins) {
      this.begins = this.trace.dropped === 0 ? 0 : begins;
      this.ends = ends;
    }
    return counts;
  }

  build() {
    const { f64, u32, count } = this.trace;
    for (let i = 0; i < count; i++) {
      const word = u32[8 * i + 2];
      const kind = word & 0xff;
      if (kind >= kinds.phaseBegin && kind <= kinds.microtaskEnd) {
        if ((kind & 1) === 0) this.begin(i, kind >>> 1, f64[4 * i]);
        else this.finish(kind >>> 1, f64[4 * i + 2], f64[4 * i]);
        continue;
      }
      const cause = this.causes[this.causes.length - 1];
      if (kind >= kinds.schedule && kind <= kinds.promiseSettled) this.noteJavaScript(cause);
      switch (kind) {
        case kinds.turn:
          this.closeAll(f64[4 * i], false);
          this.turn = this.begin(i, spanKinds.turn, f64[4 * i]);
          break;
        case kinds.turnCallbackBegin:
          this.beginTurnCallback(i, f64[4 * i]);
          break;
        case kinds.nextCallbackBegin:
          this.finish(spanKinds.callback, 0, f64[4 * i]);
          this.begin(i, spanKinds.callback, f64[4 * i]);
          break;
        case kinds.innerCallbackBegin:
          this.begin(i, spanKinds.loopCallback, f64[4 * i], -u32[8 * i + 6], u32[8 * i + 7]);
          this.begin(i, spanKinds.callback, f64[4 * i]);
          break;
        case kinds.innerCallbackEnd:
          this.finish(spanKinds.callback, 0, f64[4 * i]);
          this.finish(spanKinds.loopCallback, 0, f64[4 * i]);
          break;
        case kinds.schedule:
          this.scheduled.set(f64[4 * i + 2], i, cause);
          break;
        case kinds.promiseMade:
          this.promises.set(f64[4 * i + 2], i, cause);
          break;
        case kinds.promiseSettled:
          this.settled.set(f64[4 * i + 2], i, cause);
          break;
        case kinds.over:
          if (word >>> 16 === 1) this.cancelled++;
          break;
        case kinds.handleOpened:
          this.handles.set(f64[4 * i + 2], i, cause);
          break;
        case kinds.handleClosed: {
          const at = this.handles.find(f64[4 * i + 2]);
          if (at >= 0) this.handles.mark[at] = 1;
          break;
        }
        case kinds.serves:
          this.served.set(f64[4 * i + 3], f64[4 * i + 2]);
          break;
        case kinds.jobQueued:
        case kinds.jobStarted:
        case kinds.jobFinished:
          this.addToJob(i, kind, cause);
          break;
        case kinds.pollWaits:
          this.sleep(i);
          break;
        case kinds.pollWoke:
          this.wake(f64[4 * i], f64[4 * i + 3]);
          break;
        case kinds.gauge:
          this.gauges.add(i, cause);
          break;
        case kinds.blocked:
          this.blocked.add(i, cause);
          break;
        case kinds.uncaught:
          this.uncaught.add(i, cause);
          break;
        case kinds.exit:
          this.exitCode = f64[4 * i + 3];
          break;
        case kinds.refd:
          this.leftovers.add(i, cause);
          this.leftoverOrigins.push(this.originOf(i, f64[4 * i + 2]));
          break;
        case kinds.touches:
          this.touches.add(i, cause);
          break;
        case kinds.requestBegin:
        case kinds.requestPart:
        case kinds.requestEnd:
          this.requestBuilder.add(i, kind, cause);
          break;
      }
    }
    this.wake(this.ends, 0);
    this.closeAll(this.ends, false);
  }

  begin(record, kind, time, id = this.id(record), name = this.name(record)) {
    const { f64, u32 } = this.trace;
    const { spans, open, causes } = this;
    if (open.length >= kDeepest) {
      this.tooDeep++;
      return kNone;
    }
    let parent = open.length === 0 ? kNone : open[open.length - 1];
    let phase = (u32[8 * record + 2] >>> 8) & 0xff;
    if (phase > 7) phase = 0;
    if (kind === spanKinds.callback && phase === 0 && parent !== kNone && spans.kind[parent] === spanKinds.turn) {
      // 'beforeExit' or 'exit': the loop has ended, for now.
      this.close(parent, time, false);
      parent = this.turn = kNone;
    }
    const span = spans.count++;
    if (phase === 0 && parent !== kNone) phase = spans.phase[parent];
    if (kind === spanKinds.phase && phase === phases.poll) this.requestBuilder.polls(time);
    spans.kind[span] = kind;
    spans.phase[span] = phase;
    spans.parent[span] = parent;
    spans.turn[span] = kind === spanKinds.turn ? span : this.turn;
    spans.start[span] = time;
    spans.end[span] = time;
    spans.id[span] = id;
    spans.name[span] = name;
    spans.event[span] = kind === spanKinds.callback ? u32[8 * record + 2] >>> 16 : 0;
    spans.value[span] = (u32[8 * record + 2] & 0xff) === kinds.innerCallbackBegin ? 0 : f64[4 * record + 3];
    spans.cause[span] = spans.schedule[span] = spans.request[span] = kNone;
    open.push(span);
    this.openOfKind[kind]++;
    const isCause = kind === spanKinds.callback || kind === spanKinds.tick || kind === spanKinds.microtask ||
      kind === spanKinds.loopCallback;
    causes.push(isCause ? span : causes[causes.length - 1]);
    if (isCause) this.findCause(span, kind);
    // A callback that was not scheduled, but runs inside another one, was called by that one.
    if (kind === spanKinds.callback && spans.cause[span] === kNone) spans.cause[span] = causes[causes.length - 2];
    if (isCause && spans.request[span] === kNone && !this.isContinuation(span)) {
      spans.request[span] = this.requestBuilder.inherited(span, spans.cause[span]);
    }
    if (parent !== kNone && spans.kind[parent] === spanKinds.loopCallback) {
      spans.flags[parent] |= kind === spanKinds.callback ? kHasCallback : kRanJavaScript;
    }
    return span;
  }

  isContinuation(span) {
    const { kind, schedule } = this.spans;
    return kind[span] === spanKinds.microtask && schedule[span] !== kNone &&
      this.kind(schedule[span]) === kinds.promiseMade;
  }

  // Handles the record of a callback that also begins its turn and phase, and closes all open spans.
  beginTurnCallback(record, time) {
    const { spans } = this;
    this.closeAll(time, true);
    const turn = this.turn = this.begin(record, spanKinds.turn, time);
    const phase = this.begin(record, spanKinds.phase, time);
    const callback = this.begin(record, spanKinds.callback, time);
    spans.id[turn] = spans.value[callback];
    spans.phase[turn] = spans.id[phase] = 0;
    spans.name[turn] = spans.name[phase] = 0;
    spans.value[turn] = spans.value[phase] = spans.value[callback] = 0;
  }

  // Most callbacks of the loop call JavaScript through a callback that is recorded itself. If one does not, the loop's
  // callback is shown in its place.
  noteJavaScript(cause) {
    if (cause !== kNone && this.spans.kind[cause] === spanKinds.loopCallback) this.spans.flags[cause] |= kRanJavaScript;
  }

  // Closes the innermost span of that kind and all spans still open inside it, as after an exception that ended the
  // process, process.exit(), or lost records.
  finish(kind, id, time) {
    const { open, spans } = this;
    if (this.openOfKind[kind] === 0) {
      this.unmatched++;
      return;
    }
    while (true) {
      const span = open[open.length - 1];
      const isIt = spans.kind[span] === kind;
      this.close(span, time, !isIt);
      if (isIt) return;
    }
  }

  close(span, time, isEndUnknown) {
    const { open, spans } = this;
    open.pop();
    this.causes.pop();
    this.openOfKind[spans.kind[span]]--;
    if (time > spans.start[span]) spans.end[span] = time;
    if (isEndUnknown) spans.flags[span] |= kEndUnknown;
    const parent = spans.parent[span];
    if (parent !== kNone) spans.nested[parent] += spans.end[span] - spans.start[span];
  }

  closeAll(time, isEnd) {
    while (this.open.length > 0) {
      const span = this.open[this.open.length - 1];
      this.close(span, time, !isEnd && this.spans.kind[span] !== spanKinds.turn);
    }
  }

  // Finds the cause of a callback: the span that scheduled it or, for a microtask, the span that settled its promise if
  // that came later.
  findCause(span, kind) {
    const { spans, scheduled, promises, settled } = this;
    const id = spans.id[span];
    const owner = kind === spanKinds.loopCallback ? span : spans.parent[span];
    const isOfLoop = owner !== kNone && spans.kind[owner] === spanKinds.loopCallback;
    if (isOfLoop && this.openJobs.find(spans.id[owner]) >= 0) spans.flags[span] |= kOfPool;
    let at = scheduled.find(id);
    if (at >= 0) return this.setCause(span, scheduled, at);
    if (kind === spanKinds.microtask) {
      at = promises.find(id);
      if (at < 0) return undefined;
      const made = promises.first[at];
      spans.schedule[span] = made;
      spans.cause[span] = promises.second[at];
      // A continuation belongs to the request that waits for the promise, not to the one that settles it.
      spans.request[span] = this.requestBuilder.inherited(span, promises.second[at]);
      const before = settled.find(this.trace.f64[4 * made + 3]);
      if (before >= 0 && settled.first[before] > made) spans.cause[span] = settled.second[before];
      return undefined;
    }
    // For a handle or request of the loop: the resource that it serves, or the place where it was opened.
    if (!isOfLoop) return undefined;
    if (owner !== span && spans.schedule[owner] !== kNone) {
      spans.cause[span] = spans.cause[owner];
      spans.schedule[span] = spans.schedule[owner];
      spans.flags[span] |= spans.flags[owner] & kFirstRun;
      return undefined;
    }
    const served = this.served.get(spans.id[owner]);
    at = served === undefined ? -1 : scheduled.find(served);
    if (at >= 0) return this.setCause(span, scheduled, at);
    at = this.handles.find(spans.id[owner]);
    if (at >= 0) spans.cause[span] = this.handles.second[at];
    return undefined;
  }

  // The mark is set if it has run since it was scheduled.
  setCause(span, table, at) {
    const { spans } = this;
    spans.schedule[span] = table.first[at];
    spans.cause[span] = table.second[at];
    if (table.mark[at] !== 0) return;
    spans.flags[span] |= kFirstRun;
    if (spans.kind[span] !== spanKinds.loopCallback) table.mark[at] = 1;
  }

  addToJob(record, kind, cause) {
    const { f64, u32 } = this.trace;
    const { jobs, openJobs } = this;
    const id = f64[4 * record + 2];
    const at = kind === kinds.jobQueued ? -1 : openJobs.find(id);
    let job = at < 0 ? -1 : openJobs.first[at];
    if (job < 0) {
      job = jobs.count++;
      jobs.id[job] = id;
      jobs.name[job] = u32[8 * record + 3];
      openJobs.set(id, job, 0);
    }
    const time = f64[4 * record];
    const value = f64[4 * record + 3];
    if (kind === kinds.jobQueued) {
      jobs.queued[job] = time;
      jobs.waiting[job] = value;
      jobs.cause[job] = cause;
    } else if (kind === kinds.jobStarted) {
      jobs.started[job] = time;
      jobs.worker[job] = value;
    } else {
      jobs.finished[job] = time;
      if (Number.isNaN(jobs.worker[job])) jobs.worker[job] = value;
    }
  }

  sleep(record) {
    const { f64 } = this.trace;
    const { sleeps } = this;
    this.wake(f64[4 * record], 0);
    const sleep = sleeps.count++;
    sleeps.start[sleep] = sleeps.end[sleep] = f64[4 * record];
    sleeps.limit[sleep] = f64[4 * record + 3];
    sleeps.turn[sleep] = this.turn;
    this.asleep = true;
  }

  wake(time, events) {
    if (!this.asleep) return;
    const { sleeps } = this;
    const sleep = sleeps.count - 1;
    this.asleep = false;
    sleeps.end[sleep] = Math.max(sleeps.start[sleep], time);
    sleeps.events[sleep] = events;
  }

  // The handles of JavaScript that were not closed: each with the record that opened it, and where the program
  // created it: a record and the callback that contains it.
  findOpenHandles() {
    const { handles } = this;
    const list = [];
    for (let at = 0; at < handles.keys.length; at++) {
      if (handles.first[at] === kNone || handles.mark[at] !== 0) continue;
      if (!this.served.has(handles.keys[at])) continue;
      const origin = this.originOf(handles.first[at], handles.keys[at]);
      if (origin.schedule !== kNone) list.push(origin);
    }
    return list.sort((a, b) => a.record - b.record);
  }

  // The record that scheduled the resource with this id, or the one that the loop's handle with this id serves.
  originOf(record, id) {
    const { scheduled } = this;
    const at = scheduled.find(this.served.get(id) ?? id);
    if (at < 0) return { record, schedule: kNone, cause: kNone };
    return { record, schedule: scheduled.first[at], cause: scheduled.second[at] };
  }

  // True if the loop seems to have ended by itself. Then its last turn went through all phases.
  get ranToEnd() {
    return this.header.hasEnded && this.leftovers.count === 0 && this.uncaught.count === 0;
  }

  // The duration of a span, and its own time without the spans inside.
  duration(span) {
    return this.spans.end[span] - this.spans.start[span];
  }

  own(span) {
    return Math.max(0, this.duration(span) - this.spans.nested[span]);
  }

  isCallback(span) {
    const kind = this.spans.kind[span];
    if (kind === spanKinds.loopCallback) {
      return (this.spans.flags[span] & (kRanJavaScript | kHasCallback)) === kRanJavaScript;
    }
    return kind === spanKinds.callback || kind === spanKinds.tick || kind === spanKinds.microtask;
  }

  time(record) {
    return this.trace.f64[4 * record];
  }

  id(record) {
    return this.trace.f64[4 * record + 2];
  }

  value(record) {
    return this.trace.f64[4 * record + 3];
  }

  name(record) {
    return this.trace.u32[8 * record + 3];
  }

  first(record) {
    return this.trace.u32[8 * record + 6];
  }

  second(record) {
    return this.trace.u32[8 * record + 7];
  }

  detail(record) {
    return this.trace.u32[8 * record + 2] >>> 16;
  }

  kind(record) {
    return this.trace.u32[8 * record + 2] & 0xff;
  }
}

module.exports = { Model, spanKinds, kMainScript, kNone, kFirstRun, kEndUnknown, kOfPool };
