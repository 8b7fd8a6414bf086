'use strict';
// Statistics of a run as plain data, which `rondo trace` prints and `--json` writes unchanged. Times are in
// nanoseconds.
const { kinds, phaseNames, phases } = require('internal/trace/format');
const { describe, functionOf, latenessOf, mainPlace, originOf } = require('internal/trace/callbacks');
const { kEndUnknown, kMainScript, kNone, spanKinds } = require('internal/trace/model');
const { summarizeRequests } = require('internal/trace/slow_requests');

const kBlockedFrom = 50e6; // A callback this long is one that people notice.
const kStarvedFrom = 20e6; // And a drain this long keeps timers and I/O waiting.
const kWaitFrom = 1e6;
const kTaskCountFrom = 2; // One slow tick is a slow callback; a drain that starves has many.

// Of numbers that it may sort: { count, p50, p99, max, total }.
function distribution(numbers) {
  numbers.sort();
  const count = numbers.length;
  let total = 0;
  for (let i = 0; i < count; i++) total += numbers[i];
  const at = (part) => (count === 0 ? 0 : numbers[Math.min(count - 1, Math.ceil(part * count) - 1)]);
  return { count, p50: at(0.5), p99: at(0.99), max: at(1), total };
}

function placeOf(place) {
  if (place.file === '') return null;
  return { function: place.functionName, file: place.file, line: place.line, column: place.column };
}

function describeSpan(model, span) {
  const about = describe(model, span);
  return {
    kind: about.kind,
    what: about.what,
    phase: about.phase,
    turn: about.turn,
    at: about.start,
    own: about.own,
    duration: about.duration,
    isUnfinished: (model.spans.flags[span] & kEndUnknown) !== 0,
    place: placeOf(about.place),
    scheduled: about.scheduled === null ? null : placeOf(about.scheduled.place),
    wait: Number.isNaN(about.wait) ? null : about.wait,
    late: Number.isNaN(about.late) ? null : about.late,
  };
}

// Groups callbacks by function: the number of runs, the total time, and the longest run. If the function is unknown,
// groups by the place that scheduled it.
class ByFunction {
  constructor(model) {
    this.model = model;
    this.groups = new Map();
  }

  add(span, own) {
    const { spans } = this.model;
    const key = spans.name[span] !== 0 ? spans.name[span] : -1 - this.placeOfSchedule(span);
    const group = this.groups.get(key);
    if (group === undefined) {
      this.groups.set(key, { times: 1, total: own, longest: own, span });
      return;
    }
    group.times++;
    group.total += own;
    if (own > group.longest) {
      group.longest = own;
      group.span = span;
    }
  }

  placeOfSchedule(span) {
    const { model } = this;
    const record = model.spans.schedule[span];
    if (record === kNone) return model.spans.phase[span] / 16 - 0.5; // No number of a place.
    if (model.kind(record) !== kinds.schedule) return model.name(record);
    return model.first(record) * 2 ** 20 + model.name(record) % 2 ** 20;
  }

  longest(most) {
    const list = new Largest(most);
    for (const group of this.groups.values()) list.offer(group.longest, group);
    return list.items.map(({ span: group }) =>
      ({ ...describeSpan(this.model, group.span), times: group.times, total: group.total }));
  }
}

// Keeps the `most` spans with the largest figures, largest first.
class Largest {
  constructor(most) {
    this.most = most;
    this.items = [];
    this.least = -1;
  }

  offer(figure, span) {
    const { items, most } = this;
    if (items.length >= most && figure <= this.least) return;
    let at = items.length;
    while (at > 0 && items[at - 1].figure < figure) at--;
    items.splice(at, 0, { figure, span });
    if (items.length > most) items.pop();
    this.least = items[items.length - 1].figure;
  }
}

// Time during which at least one job waited for a worker, without the usual time to wake one.
function timeOfWaiting(jobs) {
  const order = [];
  for (let job = 0; job < jobs.count; job++) {
    if (jobs.started[job] - jobs.queued[job] >= kWaitFrom) order.push(job);
  }
  order.sort((a, b) => jobs.queued[a] - jobs.queued[b]);
  let total = 0;
  let until = -Infinity;
  for (const job of order) {
    if (jobs.started[job] <= until) continue;
    total += jobs.started[job] - Math.max(until, jobs.queued[job]);
    until = jobs.started[job];
  }
  return total;
}

function summarizePool(model) {
  const { jobs } = model;
  if (jobs.count === 0) return null;
  const waits = [];
  const workers = new Map();
  let mostWaiting = 0;
  let unfinished = 0;
  for (let job = 0; job < jobs.count; job++) {
    if (jobs.waiting[job] > mostWaiting) mostWaiting = jobs.waiting[job];
    const wait = jobs.started[job] - jobs.queued[job];
    if (!Number.isNaN(wait)) waits.push(Math.max(0, wait));
    const busy = jobs.finished[job] - jobs.started[job];
    if (Number.isNaN(busy)) {
      unfinished++;
      continue;
    }
    let worker = workers.get(jobs.worker[job]);
    if (worker === undefined) workers.set(jobs.worker[job], worker = { worker: jobs.worker[job], jobs: 0, busy: 0 });
    worker.jobs++;
    worker.busy += Math.max(0, busy);
  }
  return {
    jobs: jobs.count,
    unfinished,
    wait: distribution(Float64Array.from(waits)),
    mostWaiting,
    saturated: timeOfWaiting(jobs),
    workers: [...workers.values()].sort((a, b) => a.worker - b.worker),
  };
}

// The drains that kept the loop longest, each with the function that ran most often in it.
function summarizeDrains(model, drains) {
  const { spans } = model;
  return drains.items.map(({ figure, span }) => {
    const seen = new Map();
    let tasks = 0;
    let often = kNone;
    let times = 0;
    for (let i = span + 1; i < spans.count && spans.start[i] < spans.end[span]; i++) {
      if (spans.parent[i] !== span) continue;
      tasks++;
      const count = (seen.get(spans.name[i]) ?? 0) + 1;
      seen.set(spans.name[i], count);
      if (count > times) {
        times = count;
        often = i;
      }
    }
    return {
      kind: spans.kind[span] === spanKinds.tickDrain ? 'ticks' : 'microtasks',
      phase: phaseNames[spans.phase[span]],
      turn: spans.turn[span] === kNone ? 0 : spans.id[spans.turn[span]],
      at: spans.start[span],
      duration: figure,
      tasks,
      place: often === kNone ? null : placeOf(functionOf(model, often)),
      times,
      isUnfinished: (spans.flags[span] & kEndUnknown) !== 0,
    };
  }).filter((drain) => drain.tasks >= kTaskCountFrom);
}

function summarizeBlocked(model) {
  const { blocked, names } = model;
  // A callback is reported repeatedly while it runs: the last report counts.
  const last = new Map();
  for (let i = 0; i < blocked.count; i++) {
    const key = blocked.span[i] === kNone ? `id ${model.id(blocked.record[i])}` : blocked.span[i];
    const before = last.get(key);
    const hasStack = model.name(blocked.record[i]) !== 0;
    last.set(key, { word: i, stack: hasStack || before === undefined ? i : before.stack });
  }
  return Array.from(last.values(), ({ word, stack }) => {
    const record = blocked.record[word];
    const span = blocked.span[word];
    return {
      lasted: span === kNone ? model.value(record) : Math.max(model.value(record), model.duration(span)),
      callback: span === kNone ? null : describeSpan(model, span),
      stack: names.stack(model.name(blocked.record[stack])).map(placeOf).filter((place) => place !== null),
    };
  }).sort((a, b) => b.lasted - a.lasted);
}

// The reasons why the loop was still alive when the program ended, as recorded then; if there are none, the open
// handles.
function summarizeLeftovers(model) {
  const { leftoverOrigins, names } = model;
  const groups = new Map();
  const add = (what, place) => {
    const key = `${what} ${place.file}:${place.line}:${place.column}`;
    const group = groups.get(key);
    if (group !== undefined) group.count++;
    else groups.set(key, { what, place: placeOf(place), count: 1 });
  };
  for (const { record, schedule, cause } of leftoverOrigins) {
    const place = names.place(model.first(record));
    add(names.text(model.name(record)), place.file === '' ? originOf(model, schedule, cause) : place);
  }
  if (leftoverOrigins.length === 0) {
    for (const { record, schedule, cause } of model.openHandles) {
      const place = originOf(model, schedule, cause);
      // Leave out handles of the runtime itself.
      if (place.file !== '') add(names.text(model.name(schedule)) || names.text(model.name(record)), place);
    }
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

// One thread. `top` is how many of the slowest are wanted.
function summarize(model, top = 10) {
  const { header, spans, sleeps, trace } = model;
  const time = Object.fromEntries(phaseNames.map((name) => [name, { total: 0, callbacks: 0 }]));
  const slowest = new ByFunction(model);
  const drains = new Largest(top);
  const turnBusy = new Float64Array(model.turnCount);
  const turnNumbers = new Map();
  const late = [];
  const counts = { turns: 0, callbacks: 0, ticks: 0, microtasks: 0 };
  let mainScript = 0;
  let started = NaN; // When the main script began.
  let outside = 0; // Ticks and promises between the main script and the loop, and when it has ended.
  for (let span = 0; span < spans.count; span++) {
    const duration = model.duration(span);
    if (spans.phase[span] === phases.none && spans.id[span] !== kMainScript && spans.kind[span] !== spanKinds.turn &&
      (spans.parent[span] === kNone || spans.kind[spans.parent[span]] === spanKinds.turn)) {
      outside += duration;
    }
    switch (spans.kind[span]) {
      case spanKinds.turn:
        turnNumbers.set(span, counts.turns);
        turnBusy[counts.turns++] = duration;
        break;
      case spanKinds.phase:
        time[phaseNames[spans.phase[span]]].total += duration;
        break;
      case spanKinds.loopCallback:
      case spanKinds.callback: {
        if (!model.isCallback(span)) break;
        if (spans.id[span] === kMainScript) {
          mainScript += duration;
          if (Number.isNaN(started)) started = spans.start[span];
        } else {
          time[phaseNames[spans.phase[span]]].callbacks++;
        }
        counts.callbacks++;
        slowest.add(span, model.own(span));
        const lateness = latenessOf(model, span);
        if (!Number.isNaN(lateness)) late.push(lateness);
        break;
      }
      case spanKinds.tick:
        counts.ticks++;
        slowest.add(span, model.own(span));
        break;
      case spanKinds.microtask:
        counts.microtasks++;
        slowest.add(span, model.own(span));
        break;
      case spanKinds.tickDrain:
      case spanKinds.microtaskDrain:
        if (duration >= kStarvedFrom) drains.offer(duration, span);
        break;
    }
  }
  let asleep = 0;
  for (let i = 0; i < sleeps.count; i++) {
    const length = sleeps.end[i] - sleeps.start[i];
    asleep += length;
    const turn = turnNumbers.get(sleeps.turn[i]);
    if (turn !== undefined) turnBusy[turn] = Math.max(0, turnBusy[turn] - length);
  }
  time.poll.total = Math.max(0, time.poll.total - asleep);
  const listed = slowest.longest(top);
  return {
    pid: header.pid,
    thread: header.threadId,
    program: mainPlace(model).file,
    commandLine: header.commandLine,
    startedAt: header.startedAt,
    isVirtual: header.isVirtual,
    hasEnded: header.hasEnded,
    exitCode: model.exitCode === -1 ? null : model.exitCode,
    from: model.begins,
    to: model.ends,
    ...counts,
    starting: started > model.begins ? started - model.begins : 0,
    mainScript,
    phases: Object.fromEntries(phaseNames.slice(1).map((name) => [name, time[name]])),
    outside,
    asleep,
    sleeps: sleeps.count,
    lag: distribution(turnBusy),
    timersLate: distribution(Float64Array.from(late)),
    slowest: listed,
    long: listed.filter((callback) => callback.own >= kBlockedFrom).length,
    drains: summarizeDrains(model, drains),
    blocked: summarizeBlocked(model),
    pool: summarizePool(model),
    requests: summarizeRequests(model, top, distribution),
    uncaught: Array.from({ length: model.uncaught.count },
      (_, i) => model.names.text(model.name(model.uncaught.record[i]))),
    alive: summarizeLeftovers(model),
    records: {
      written: header.written,
      read: trace.count,
      dropped: trace.dropped,
      missing: trace.cut,
      skipped: model.skipped,
      lost: model.lost,
      withoutName: model.badNames,
      namesMissing: trace.names.missing,
      namesUsedUp: header.hasUsedUpNames,
      diskFull: header.wasDiskFull,
      endsWithoutBegin: model.unmatched,
      tooDeep: model.tooDeep,
    },
  };
}

module.exports = { summarize, distribution };
