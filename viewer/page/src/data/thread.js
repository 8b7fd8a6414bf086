// The activity of one loop in a form that can be drawn: the spans of its model, followed by pool jobs and sleeps of
// poll, on one time scale, and the rows for them.
import { makeCounters } from './counters.js';
import { Lane } from './lane.js';
import { layOutRequests } from './requests.js';
import { phases, kinds } from 'internal/trace/format';
import { kNone, Model, spanKinds } from 'internal/trace/model';

export const Span = {
  turn: spanKinds.turn,
  phase: spanKinds.phase,
  loopCallback: spanKinds.loopCallback,
  callback: spanKinds.callback,
  ticks: spanKinds.tickDrain,
  tick: spanKinds.tick,
  microtasks: spanKinds.microtaskDrain,
  microtask: spanKinds.microtask,
  // Kinds that only the viewer has.
  wait: 8,
  job: 9,
  request: 10,
};

const kMostDepth = 3; // Callbacks nested deeper are in the table only.

export function isStep(kind) {
  return kind === Span.callback || kind === Span.tick || kind === Span.microtask;
}

export class Thread {
  // `offset` is added to the times of the thread: threads start at different times.
  constructor(trace, offset) {
    const model = this.model = new Model(trace);
    this.number = trace.header.threadId;
    this.header = trace.header;
    this.names = trace.names;
    this.dropped = trace.dropped;
    this.cut = trace.cut;
    this.offset = offset;
    this.start = model.begins + offset;
    this.end = model.ends + offset;
    this.spans = joinSpans(model, offset);
    this.layOut();
    this.counters = makeCounters(this);
  }

  layOut() {
    const { spans, model } = this;
    const lane = () => new Lane(spans);
    const lanes = this.lanes = {
      turns: lane(),
      phases: lane(),
      waits: lane(),
      loopCallbacks: lane(),
      callbacks: [], // By depth.
      tickDrains: lane(),
      microtaskDrains: lane(),
      tasks: lane(),
      workers: new Map(), // By number.
      requests: layOutRequests(spans),
    };
    this.steps = lane(); // Callbacks, ticks and microtasks; they may be nested.
    this.ofPhase = Array.from({ length: phases.closing + 1 }, lane);
    for (let span = 0; span < model.spans.count; span++) this.placeSpan(span);
    const { waitsFrom, jobsFrom } = spans;
    for (let span = waitsFrom; span < jobsFrom; span++) lanes.waits.add(span);
    for (const span of jobsByStart(spans)) {
      const worker = spans.value[span];
      if (!lanes.workers.has(worker)) lanes.workers.set(worker, lane());
      lanes.workers.get(worker).add(span);
    }
    for (const each of [this.steps, lanes.turns, lanes.phases, lanes.waits, lanes.loopCallbacks, lanes.tickDrains,
      lanes.microtaskDrains, lanes.tasks, ...lanes.callbacks, ...lanes.workers.values(), ...this.ofPhase]) {
      each.finish();
    }
  }

  placeSpan(span) {
    const { spans, lanes } = this;
    const { kind, parent } = spans;
    switch (kind[span]) {
      case Span.turn:
        lanes.turns.add(span);
        break;
      case Span.phase:
        lanes.phases.add(span);
        this.ofPhase[spans.phase[span]].add(span);
        break;
      case Span.loopCallback:
        lanes.loopCallbacks.add(span);
        break;
      case Span.callback: {
        this.steps.add(span);
        const depth = this.depthOf(span);
        if (depth >= kMostDepth) break;
        (lanes.callbacks[depth] ??= new Lane(spans)).add(span);
        break;
      }
      case Span.ticks:
        lanes.tickDrains.add(span);
        break;
      case Span.microtasks:
        lanes.microtaskDrains.add(span);
        break;
      default: {
        this.steps.add(span);
        const up = parent[span];
        // A tick inside a tick would overlap with it.
        if (up === kNone || kind[up] === Span.ticks || kind[up] === Span.microtasks) lanes.tasks.add(span);
        if (up !== kNone && (kind[up] === Span.ticks || kind[up] === Span.microtasks)) spans.tasks[up]++;
      }
    }
  }

  // The number of callbacks that enclose the span.
  depthOf(span) {
    const { kind, parent } = this.spans;
    let depth = 0;
    for (let up = parent[span]; up !== kNone && depth < kMostDepth; up = parent[up]) {
      depth += kind[up] === Span.callback ? 1 : 0;
    }
    return depth;
  }

  duration(span) {
    return this.spans.end[span] - this.spans.begin[span];
  }

  // Duration without nested spans.
  own(span) {
    return span < this.model.spans.count ? this.model.own(span) : this.duration(span);
  }

  // True if only the loop encloses the span: the loop is blocked until the span ends.
  holdsLoop(span) {
    const { kind, parent } = this.spans;
    if (kind[span] !== Span.callback && kind[span] !== Span.loopCallback) return false;
    const up = parent[span];
    return up === kNone || kind[up] === Span.turn || kind[up] === Span.phase;
  }

  isCallback(span) {
    return isStep(this.spans.kind[span]);
  }

  // Files and ports that the span accessed: { what, writes } each.
  touchesOf(span) {
    if (this.touched === undefined) {
      this.touched = new Map();
      const { touches } = this.model;
      for (let i = 0; i < touches.count; i++) {
        if (!this.touched.has(touches.span[i])) this.touched.set(touches.span[i], []);
        this.touched.get(touches.span[i]).push(touches.record[i]);
      }
    }
    return (this.touched.get(span) ?? []).map((record) => (
      { what: this.names.text(this.model.name(record)), writes: this.model.detail(record) === 1 }
    ));
  }

  phaseAt(time) {
    const span = this.lanes.phases.at(time);
    return span < 0 ? phases.none : this.spans.phase[span];
  }

  // Time per phase in the window, the part of poll that was sleep, and the time of the main script.
  shares(from, to) {
    const ofPhases = this.ofPhase.map((lane) => lane.busy(from, to));
    const { turns } = this.lanes;
    const firstTurn = turns.length > 0 ? this.spans.begin[turns.ids[0]] : this.end;
    const firstSpan = this.spans.length > 0 ? this.spans.begin[0] : this.end;
    const main = this.dropped > 0 ? 0 : Math.max(0, Math.min(to, firstTurn) - Math.max(from, firstSpan));
    return { phases: ofPhases, waiting: this.lanes.waits.busy(from, to), main };
  }
}

// The model's spans, then sleeps, then jobs that have run.
function joinSpans(model, offset) {
  const { spans, sleeps, jobs, requests } = model;
  const waitsFrom = spans.count;
  const jobsFrom = waitsFrom + sleeps.count;
  const requestsFrom = jobsFrom + jobs.count;
  const length = requestsFrom + requests.count;
  const join = (Type, array) => {
    const joined = new Type(length);
    joined.set(array.length > spans.count ? array.subarray(0, spans.count) : array);
    return joined;
  };
  const all = {
    length,
    waitsFrom,
    jobsFrom,
    requestsFrom,
    begin: join(Float64Array, spans.start),
    end: join(Float64Array, spans.end),
    kind: join(Uint8Array, spans.kind),
    phase: join(Uint8Array, spans.phase),
    name: join(Uint32Array, spans.name),
    id: join(Float64Array, spans.id),
    value: join(Float64Array, spans.value),
    parent: join(Int32Array, spans.parent),
    turn: join(Int32Array, spans.turn),
    cause: join(Int32Array, spans.cause),
    scheduledAt: new Float64Array(length).fill(NaN), // Of a microtask, not before its cause began.
    request: join(Int32Array, spans.request), // The number of the server's request that it belongs to.
    depth: new Uint8Array(requests.count), // Of requests: the lane.
    what: new Uint32Array(length), // The index of the name of the API that scheduled it.
    tasks: new Uint32Array(length), // Of a drain: the number of tasks it ran.
  };
  for (let i = 0; i < sleeps.count; i++) {
    const span = waitsFrom + i;
    all.begin[span] = sleeps.start[i];
    all.end[span] = sleeps.end[i];
    all.kind[span] = Span.wait;
    all.phase[span] = phases.poll;
    all.value[span] = sleeps.events[i];
    all.parent[span] = all.turn[span] = sleeps.turn[i];
    all.cause[span] = all.request[span] = kNone;
  }
  for (let i = 0; i < jobs.count; i++) {
    const span = jobsFrom + i;
    all.begin[span] = jobs.started[i];
    all.end[span] = Number.isNaN(jobs.finished[i]) ? model.ends : jobs.finished[i];
    all.kind[span] = Span.job;
    all.phase[span] = phases.poll;
    all.name[span] = all.what[span] = jobs.name[i];
    all.id[span] = jobs.id[i];
    all.value[span] = jobs.worker[i];
    all.parent[span] = all.turn[span] = kNone;
    all.cause[span] = jobs.cause[i];
    all.scheduledAt[span] = jobs.queued[i] + offset;
    all.request[span] = jobs.cause[i] === kNone ? kNone : spans.request[jobs.cause[i]];
  }
  for (let i = 0; i < requests.count; i++) addRequest(model, all, i);
  for (let i = 0; i < length; i++) {
    all.begin[i] += offset;
    all.end[i] += offset;
  }
  for (let i = 0; i < spans.count; i++) addSchedule(model, all, i, offset);
  return all;
}

function addRequest(model, all, request) {
  const { requests } = model;
  const span = all.requestsFrom + request;
  const isServer = requests.isServer[request] === 1;
  all.begin[span] = isServer ? requests.ready[request] : requests.start[request];
  all.end[span] = Number.isNaN(requests.end[request]) ? model.ends : requests.end[request];
  all.kind[span] = Span.request;
  all.name[span] = all.what[span] = requests.name[request];
  all.id[span] = requests.id[request];
  all.value[span] = requests.status[request];
  all.parent[span] = all.turn[span] = kNone;
  // Nothing in the program causes a request to its server.
  all.cause[span] = isServer ? kNone : requests.span[request];
  all.request[span] = isServer ? request : requests.parent[request];
}

function addSchedule(model, all, span, offset) {
  const record = model.spans.schedule[span];
  if (record === kNone) return;
  if (model.kind(record) === kinds.schedule) {
    all.what[span] = model.name(record);
    if (all.name[span] === 0 && all.kind[span] !== Span.loopCallback) all.name[span] = model.second(record);
  }
  const time = model.time(record) + offset;
  const cause = all.cause[span];
  // A promise may be settled long after it was made: the arrow starts where it was settled.
  all.scheduledAt[span] = cause === kNone ? time : Math.min(Math.max(time, all.begin[cause]), all.end[cause]);
}

// Jobs that have started, in the order of time.
function jobsByStart(spans) {
  const started = [];
  for (let span = spans.jobsFrom; span < spans.requestsFrom; span++) {
    if (!Number.isNaN(spans.begin[span]) && spans.end[span] >= spans.begin[span]) started.push(span);
  }
  return started.sort((a, b) => spans.begin[a] - spans.begin[b]);
}
