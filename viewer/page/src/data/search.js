// Finds callbacks by the name or file of their function, or by their kind.
import { shortFile } from './describe.js';

// The indexes of the table of names whose text or place contains this text: one byte each.
function matchNames(names, text) {
  const found = new Uint8Array(names.count + 1);
  for (let n = 1; n <= names.count; n++) {
    if (names.text(n).toLowerCase().includes(text)) {
      found[n] = 1;
      continue;
    }
    const { functionName, file, line } = names.place(n);
    if (file === '' && functionName === '') continue;
    found[n] = functionName.toLowerCase().includes(text) || `${file}:${line}`.toLowerCase().includes(text) ||
      shortFile(file).toLowerCase().includes(text) ? 1 : 0;
  }
  return found;
}

export class Search {
  constructor(model, text) {
    this.text = text.trim().toLowerCase();
    this.version = model.version;
    this.hits = new Map(); // Thread -> one byte per span.
    this.found = []; // { thread, span, begin }, by time.
    if (this.text === '') return;
    for (const thread of model.threads) this.searchThread(thread);
    if (model.threads.length > 1) this.found.sort((a, b) => a.begin - b.begin);
  }

  searchThread(thread) {
    const matches = matchNames(thread.names, this.text);
    const { spans, steps } = thread;
    const hits = new Uint8Array(spans.length);
    for (let i = 0; i < steps.length; i++) {
      const span = steps.ids[i];
      if (matches[spans.name[span]] === 1 || matches[spans.what[span]] === 1) {
        hits[span] = 1;
        this.found.push({ thread, span, begin: spans.begin[span] });
      }
    }
    this.hits.set(thread, hits);
  }

  get isActive() {
    return this.text !== '';
  }

  has(thread, span) {
    return this.hits.get(thread)?.[span] === 1;
  }

  // The position of the selected span among the results, counted from 1; 0 if it is not a result.
  position(selected) {
    if (selected === null) return 0;
    const i = this.lowerBound(selected.thread.spans.begin[selected.span]);
    for (let k = i; k < this.found.length && this.found[k].begin === selected.thread.spans.begin[selected.span]; k++) {
      if (this.found[k].thread === selected.thread && this.found[k].span === selected.span) return k + 1;
    }
    return 0;
  }

  // The next result after a time, or the previous one before it; wraps around.
  next(time, direction) {
    const { found } = this;
    if (found.length === 0) return null;
    if (direction > 0) {
      let i = this.lowerBound(time);
      while (i < found.length && found[i].begin <= time) i++;
      return found[i % found.length];
    }
    const i = this.lowerBound(time) - 1;
    return found[(i + found.length) % found.length];
  }

  lowerBound(time) {
    let low = 0;
    let high = this.found.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.found[middle].begin < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
