// The layout of the timeline: for each thread a heading, and a row for each kind of span and for each counter.
import { Span } from '../data/thread.js';

export const kAxisHeight = 26;
const kHeading = 24;
const kCounter = 16;
const kGap = 4;
const kAfterGroup = 8;
// Names of counters for narrow screens.
const shortLabels = { 'Timer lag': 'Lag', 'Immediates': 'Immed.', 'Pool queue': 'Queue' };

export function layOut(model) {
  const rows = [];
  let y = 6;
  const many = model.threads.length > 1;
  const add = (thread, [label, short], height, kind, lanes, number = 0) => {
    rows.push({ thread, label, short, y, height, kind, lanes, number });
    y += height + kGap;
  };
  for (const thread of model.threads) {
    const { lanes } = thread;
    const { number } = thread;
    if (many) {
      add(thread, number === 0 ? ['Main thread', 'Main'] : [`Worker ${number}`, `W ${number}`], kHeading, 'heading',
        []);
    }
    lanes.requests.forEach((lane, depth) => {
      add(thread, depth === 0 ? ['HTTP requests', 'HTTP'] : ['', ''], 18, Span.request, [lane], depth);
    });
    add(thread, ['Turns', 'Turns'], 20, Span.turn, [lanes.turns]);
    add(thread, ['Phases', 'Phases'], 28, Span.phase, [lanes.phases]);
    const callbacks = lanes.callbacks.length > 0 ? lanes.callbacks : [null];
    callbacks.forEach((lane, depth) => {
      const rowLanes = lane === null ? [] : [lane];
      if (depth === 0) add(thread, ['Callbacks', 'Calls'], 36, Span.callback, rowLanes);
      else add(thread, ['', ''], 24, Span.callback, rowLanes, depth);
    });
    add(thread, ['Ticks, microtasks', 'Ticks'], 30, Span.tick, [lanes.tasks]);
    const workers = [...lanes.workers.keys()].sort((a, b) => a - b);
    workers.forEach((worker, i) => {
      const label = i === 0 ? `Pool ${worker}` : `${worker}`;
      add(thread, [label, label], 18, Span.job, [lanes.workers.get(worker)], worker);
    });
    for (const counter of thread.counters) {
      add(thread, [counter.label, shortLabels[counter.label] ?? counter.label], kCounter, 'counter', []);
      rows[rows.length - 1].counter = counter;
    }
    y += kAfterGroup;
  }
  return { rows, height: y };
}

// The row in which a span is drawn, or undefined.
export function rowOf(rows, thread, span) {
  const { kind, value } = thread.spans;
  let wanted = kind[span];
  let number = 0;
  if (wanted === Span.microtask || wanted === Span.ticks || wanted === Span.microtasks) wanted = Span.tick;
  else if (wanted === Span.wait) wanted = Span.phase;
  else if (wanted === Span.loopCallback) wanted = Span.callback;
  else if (wanted === Span.job) number = value[span];
  else if (wanted === Span.callback) number = thread.depthOf(span);
  else if (wanted === Span.request) number = thread.spans.depth[span - thread.spans.requestsFrom];
  return rows.find((row) => row.thread === thread && row.kind === wanted && row.number === number);
}
