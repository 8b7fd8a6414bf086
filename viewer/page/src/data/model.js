// All threads of a run, with queries for the page.
import { isStep, Span, Thread } from './thread.js';
import { phaseNames, phases } from 'internal/trace/format';
import { readTrace } from 'internal/trace/reader';

export class Model {
  constructor() {
    this.threads = []; // By number.
    this.version = 0; // Incremented on each load: for caches of computed values.
    this.header = null; // The main thread's.
    this.end = 1;
    this.start = 0;
    this.sources = new Map(); // file -> text
    this.effects = new Map(); // Thread -> its spans by cause, computed on demand.
  }

  // Takes a trace of internal/trace/reader; replaces the data of its thread.
  add(trace) {
    const { header } = trace;
    if (this.header === null || header.threadId <= this.header.threadId) this.header = header;
    const thread = new Thread(trace, header.startedAtMonotonic - this.header.startedAtMonotonic);
    this.threads = this.threads.filter((other) => other.number !== thread.number);
    this.threads.push(thread);
    this.threads.sort((a, b) => a.number - b.number);
    this.end = Math.max(1, ...this.threads.map((each) => each.end));
    this.start = Math.min(...this.threads.map((each) => each.start));
    this.effects.clear();
    this.version++;
    return thread;
  }

  load(bytes) {
    return this.add(readTrace(bytes));
  }

  // Spans that this one caused, in the order of time.
  causedBy(thread, span) {
    let known = this.effects.get(thread);
    if (known === undefined) this.effects.set(thread, known = groupByCause(thread.spans));
    return known.list.subarray(known.starts[span], known.starts[span + 1]);
  }
}

// Groups the spans by cause: a counting sort.
function groupByCause({ cause, kind, length }) {
  const starts = new Int32Array(length + 2);
  const counts = (i) => cause[i] >= 0 && (isStep(kind[i]) || kind[i] === Span.job);
  for (let i = 0; i < length; i++) if (counts(i)) starts[cause[i] + 2]++;
  for (let i = 2; i < starts.length; i++) starts[i] += starts[i - 1];
  const list = new Int32Array(starts[starts.length - 1]);
  for (let i = 0; i < length; i++) if (counts(i)) list[starts[cause[i] + 1]++] = i;
  return { starts, list };
}

// The `count` spans with the largest figures, largest first; spans with a negative figure are left out.
export function largest(threads, count, figureOf) {
  const best = [];
  let least = 0;
  const cut = () => {
    best.sort((a, b) => b.figure - a.figure);
    best.length = Math.min(best.length, count);
  };
  for (const thread of threads) {
    for (let span = 0; span < thread.model.spans.count; span++) {
      const figure = figureOf(thread, span);
      if (figure < least) continue;
      best.push({ thread, span, figure });
      if (best.length < count * 2) continue;
      cut();
      least = best[count - 1].figure;
    }
  }
  cut();
  return best;
}

export function nameOfPhase(phase) {
  return phase === phases.none ? 'main script' : phaseNames[phase] ?? '';
}
