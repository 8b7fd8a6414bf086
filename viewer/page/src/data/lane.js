// One row of the timeline: spans that do not overlap, in the order of time. It finds visible spans by bisection, and
// merges those that are too narrow to see, so that drawing costs as much as the screen is wide, not as the trace is
// long.

const kShift = 2; // Each level of the pyramid has a quarter of the entries of the one below.

// Work of the last frame; tests bound it.
export const work = { touched: 0, drawn: 0 };

export class Lane {
  // `spans` has `begin` and `end`.
  constructor(spans) {
    this.spans = spans;
    this.ids = new Int32Array(64); // Indices of spans.
    this.sums = null; // sums[i]: total duration of those before i.
    this.levels = []; // levels[k][b]: the position of the longest among the 4^(k+1) from b * 4^(k+1) on.
    this.length = 0;
  }

  add(id) {
    if (this.length === this.ids.length) {
      const ids = new Int32Array(this.length * 2);
      ids.set(this.ids);
      this.ids = ids;
    }
    this.ids[this.length++] = id;
  }

  // After all spans were added.
  finish() {
    const { length } = this;
    this.sums = new Float64Array(length + 1);
    for (let i = 0; i < length; i++) this.sums[i + 1] = this.sums[i] + this.duration(i);
    let below = null;
    for (let count = length; count > 1;) {
      const blocks = (count + 3) >> kShift;
      const level = new Int32Array(blocks);
      for (let b = 0; b < blocks; b++) {
        const start = b << kShift;
        const stop = Math.min(start + 4, count);
        let best = below === null ? start : below[start];
        for (let i = start + 1; i < stop; i++) {
          const candidate = below === null ? i : below[i];
          if (this.duration(candidate) > this.duration(best)) best = candidate;
        }
        level[b] = best;
      }
      this.levels.push(level);
      below = level;
      count = blocks;
    }
  }

  duration(i) {
    const id = this.ids[i];
    return this.spans.end[id] - this.spans.begin[id];
  }

  // The first position whose span ends after `time`; `length` if there is none.
  firstEndingAfter(time) {
    return this.bisect(this.spans.end, time, 0);
  }

  // The first position from `low` on whose span begins at `time` or later.
  firstBeginningAt(time, low = 0) {
    const { ids } = this;
    const begins = this.spans.begin;
    // Usually near: doubling steps find the end of the range to search.
    let high = low;
    for (let step = 8; high < this.length && begins[ids[high]] < time; step *= 2) {
      work.touched++;
      low = high + 1;
      high += step;
    }
    high = Math.min(high, this.length);
    while (low < high) {
      const middle = (low + high) >>> 1;
      work.touched++;
      if (begins[ids[middle]] < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  bisect(values, time, low) {
    const { ids } = this;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      work.touched++;
      if (values[ids[middle]] <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // The span at this time, or -1.
  at(time) {
    const i = this.firstEndingAfter(time);
    return i < this.length && this.spans.begin[this.ids[i]] <= time ? this.ids[i] : -1;
  }

  // The position of the longest in [from, to), which is not empty.
  longest(from, to) {
    let best = from;
    let i = from;
    while (i < to) {
      // The biggest block that begins here and ends before `to`.
      let k = 0;
      let size = 1;
      while (k < this.levels.length && (i & (size * 4 - 1)) === 0 && i + size * 4 <= to) {
        size *= 4;
        k++;
      }
      const candidate = k === 0 ? i : this.levels[k - 1][i / size];
      work.touched++;
      if (this.duration(candidate) > this.duration(best)) best = candidate;
      i += size;
    }
    return best;
  }

  // Total duration of the spans within the window, clipped to it.
  busy(from, to) {
    if (this.length === 0 || to <= from) return 0;
    const { begin, end } = this.spans;
    const first = this.firstEndingAfter(from);
    const last = this.firstBeginningAt(to, first);
    if (first >= last) return 0;
    let total = this.sums[last] - this.sums[first];
    total -= Math.max(0, from - begin[this.ids[first]]);
    total -= Math.max(0, end[this.ids[last - 1]] - to);
    return Math.max(0, total);
  }

  // Calls `draw(x, width, id, coverage, from, to)` for visible spans: single ones with coverage 1, and groups of spans
  // that are narrower than `least` pixels: the longest represents them, `coverage` is the fraction of the width in use.
  // Positions [from, to) are those that were drawn.
  visit(t0, t1, width, least, draw) {
    const { ids } = this;
    const { begin, end } = this.spans;
    const scale = width / (t1 - t0);
    const step = least / scale;
    let i = this.firstEndingAfter(t0);
    while (i < this.length) {
      const id = ids[i];
      const b = begin[id];
      if (b >= t1) return;
      work.touched++;
      const e = Math.min(end[id], t1 + step);
      if (e - b >= step) {
        const x = Math.max(-1, (b - t0) * scale);
        work.drawn++;
        draw(x, Math.min(width + 1, (e - t0) * scale) - x, id, 1, i, i + 1);
        i++;
        continue;
      }
      // Up to the next edge of the grid, so that groups stay in place when the view moves by whole steps.
      const edge = (Math.floor(b / step) + 1) * step;
      let j = Math.max(i + 1, this.firstBeginningAt(edge, i + 1));
      let best = this.longest(i, j);
      if (this.duration(best) >= step) {
        // A span in between is wide enough to be drawn by itself.
        j = best;
        best = this.longest(i, j);
      }
      const stop = end[ids[j - 1]];
      const x = (b - t0) * scale;
      const room = Math.max((stop - b) * scale, Math.min(least, 1));
      work.drawn++;
      draw(x, room, ids[best], Math.min(1, ((this.sums[j] - this.sums[i]) * scale) / room), i, j);
      i = j;
    }
  }
}
