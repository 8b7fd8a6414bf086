// Follows a program that is being recorded: polls the server for new records.
import { kHeaderSize, kRecordSize } from 'internal/trace/format';
import { Names, readHeader, Trace } from 'internal/trace/reader';

const kPause = 400; // Milliseconds between two requests, if the last answer was shown quickly.
// Records per thread that are shown while the program runs; all of them when it has ended.
const kMostWhileRunning = 1 << 18;
const kMostKept = 1 << 22;
const kMostFailures = 5; // Requests without an answer until the server counts as gone.

class Bytes {
  constructor() {
    this.bytes = new Uint8Array(1 << 16);
    this.length = 0;
  }

  append(more) {
    if (this.length + more.length > this.bytes.length) {
      const bigger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more.length));
      bigger.set(this.bytes.subarray(0, this.length));
      this.bytes = bigger;
    }
    this.bytes.set(more, this.length);
    this.length += more.length;
  }

  // Removes `count` records at the front.
  drop(count) {
    this.bytes.copyWithin(0, count, this.length);
    this.length -= count;
  }
}

// The recording of one thread so far.
class Recording {
  constructor(number) {
    this.number = number;
    this.names = new Bytes();
    this.records = new Bytes();
    this.first = 0; // The number of the first kept record.
    this.header = null;
    this.isNew = false;
  }

  get next() {
    return this.first + this.records.length / kRecordSize;
  }

  // A piece: the header, four numbers (names from, first record, count, 0), names padded to a multiple of 8, records.
  // Returns false if more data is available at once.
  take(piece) {
    this.header = readHeader(new Uint8Array(piece, 0, kHeaderSize));
    const [namesFrom, first, count] = new Float64Array(piece, kHeaderSize, 4);
    const namesAt = kHeaderSize + 32;
    const namesSize = this.header.namesBytes - namesFrom;
    if (namesFrom === this.names.length) this.names.append(new Uint8Array(piece, namesAt, namesSize));
    if (first !== this.next) {
      this.records.length = 0;
      this.first = first;
    }
    this.records.append(new Uint8Array(piece, namesAt + Math.ceil(namesSize / 8) * 8, count * kRecordSize));
    if (this.records.length > kMostKept * kRecordSize) {
      const gone = this.records.length / kRecordSize - kMostKept / 2;
      this.records.drop(gone * kRecordSize);
      this.first += gone;
    }
    if (count > 0) this.isNew = true;
    return this.next >= this.header.written;
  }

  trace(most) {
    const all = this.records.length / kRecordSize;
    const count = Math.min(all, most);
    const first = this.first + all - count;
    const bytes = this.records.bytes.slice((all - count) * kRecordSize, this.records.length);
    return new Trace({
      header: this.header,
      names: new Names(this.names.bytes.slice(0, this.names.length), this.header.namesCount),
      bytes,
      first,
      count,
      dropped: first,
      cut: 0,
    });
  }
}

// Finds the same callback after its thread was read again.
function findAgain(model, selected) {
  if (selected === null) return null;
  const thread = model.threads.find((each) => each.number === selected.thread.number);
  if (thread === undefined || thread === selected.thread) return selected;
  const old = selected.thread.spans;
  const { spans, steps } = thread;
  for (let i = steps.firstBeginningAt(old.begin[selected.span]); i < steps.length; i++) {
    const span = steps.ids[i];
    if (spans.begin[span] > old.begin[selected.span]) return null;
    if (spans.kind[span] === old.kind[selected.span] && spans.id[span] === old.id[selected.span]) {
      return { thread, span };
    }
  }
  return null;
}

export async function follow(store, actions, { base }) {
  const recordings = new Map();
  const { model } = store;
  const ask = async (what) => {
    const answer = await fetch(`${base}/${what}`, { cache: 'no-store' });
    if (!answer.ok) throw new Error(`the server said ${answer.status}`);
    return answer;
  };

  store.requestSource = async (file) => {
    if (model.sources.has(file)) return;
    model.sources.set(file, null);
    try {
      model.sources.set(file, await (await ask(`source/${encodeURIComponent(file)}`)).text());
      store.set({});
    } catch {
      // Shown without its source.
    }
  };

  const fetchNews = async () => {
    const { running, threads } = await (await ask('state')).json();
    for (const number of threads) {
      if (!recordings.has(number)) recordings.set(number, new Recording(number));
      const recording = recordings.get(number);
      for (let isAll = false; !isAll;) {
        const piece = await (await ask(`trace/${number}/${recording.names.length}/${recording.next}`)).arrayBuffer();
        isAll = recording.take(piece);
      }
    }
    return running;
  };

  const show = (most, isLast) => {
    const wide = model.end - model.start;
    const isFit = model.threads.length === 0 || store.view.to - store.view.from >= wide * 0.9;
    let changed = false;
    for (const recording of recordings.values()) {
      if (recording.header === null || !(recording.isNew || isLast)) continue;
      recording.isNew = false;
      model.add(recording.trace(most));
      changed = true;
    }
    if (!changed) return;
    store.state = { ...store.state, selected: findAgain(model, store.state.selected) };
    store.modelChanged();
    if (isFit) {
      const margin = (model.end - model.start) * 0.02;
      actions.show(model.start - margin, model.end + margin);
    }
  };

  store.set({ live: 'running' });
  let failures = 0;
  for (let running = true; running;) {
    let cost = 0;
    try {
      running = await fetchNews();
      failures = 0;
      const start = performance.now();
      show(running ? kMostWhileRunning : Infinity, !running);
      cost = performance.now() - start;
    } catch {
      if (++failures < kMostFailures) {
        cost = kPause;
      } else {
        show(Infinity, true);
        store.set({ live: 'lost' });
        return;
      }
    }
    if (running) await new Promise((resolve) => setTimeout(resolve, Math.max(kPause, cost * 5)));
  }
  store.set({ live: 'ended' });
}
