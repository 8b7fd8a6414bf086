// The counters of a thread: numbers recorded in the trace, and values derived from its records.
import { Counter } from './counter.js';
import { phases } from 'internal/trace/format';
import { spanKinds } from 'internal/trace/model';

const labels = { timers: 'Timers', immediates: 'Immediates', handles: 'Handles', requests: 'Requests' };

// The counters of a thread that were ever above zero.
export function makeCounters(thread) {
  const counters = [lagOf(thread), ...gaugesOf(thread), waitingJobsOf(thread)];
  for (const counter of counters) counter.finish();
  return counters.filter((counter) => counter.highest > 0);
}

function gaugesOf({ model, names, offset, header, end }) {
  const byName = new Map();
  const { gauges } = model;
  for (let i = 0; i < gauges.count; i++) {
    const record = gauges.record[i];
    const name = model.name(record);
    if (!byName.has(name)) {
      const text = names.text(name);
      byName.set(name, new Counter(labels[text] ?? text));
    }
    byName.get(name).add(model.time(record) + offset, model.value(record));
  }
  if (header.hasEnded) for (const counter of byName.values()) counter.add(end, 0);
  const order = Object.values(labels);
  return [...byName.values()].sort((a, b) => order.indexOf(a.label) - order.indexOf(b.label));
}

// Lateness of timers: each record has its due time.
function lagOf({ spans, steps, offset, header }) {
  const counter = new Counter('Timer lag', 'ns', true);
  if (header.isVirtual) return counter;
  for (let i = 0; i < steps.length; i++) {
    const span = steps.ids[i];
    if (spans.phase[span] !== phases.timers || spans.kind[span] !== spanKinds.callback || !(spans.value[span] > 0)) {
      continue;
    }
    counter.add(spans.begin[span], Math.max(0, spans.begin[span] - offset - spans.value[span]));
  }
  return counter;
}

// Jobs that wait for a worker of the pool.
function waitingJobsOf({ model, offset }) {
  const counter = new Counter('Pool queue');
  const { jobs } = model;
  const changes = [];
  for (let i = 0; i < jobs.count; i++) {
    if (Number.isNaN(jobs.queued[i]) || Number.isNaN(jobs.started[i])) continue;
    changes.push([jobs.queued[i], 1], [Math.max(jobs.queued[i], jobs.started[i]), -1]);
  }
  changes.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  let waiting = 0;
  for (const { 0: time, 1: change } of changes) counter.add(time + offset, waiting += change);
  return counter;
}
