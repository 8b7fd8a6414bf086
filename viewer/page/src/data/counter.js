// A number that changes over time: pending timers, lag. Each value holds until the next one. As in a lane, visible
// values are found by bisection, and the maximum of many by a pyramid, so that drawing costs as much as the screen is
// wide.
import { work } from './lane.js';

const kShift = 2; // Each level of the pyramid has a quarter of the entries of the one below.

export class Counter {
  // `unit` is 'ns' for times, and '' for counts. With `isPoint` a value holds for its instant only.
  constructor(label, unit = '', isPoint = false) {
    this.label = label;
    this.unit = unit;
    this.isPoint = isPoint;
    this.times = [];
    this.values = [];
    this.levels = []; // levels[k][b]: the highest among the 4^(k+1) values from b * 4^(k+1) on.
    this.highest = 0;
  }

  // In the order of time; a value at the same time replaces the last.
  add(time, value) {
    const { times, values } = this;
    const last = times.length - 1;
    if (last >= 0 && times[last] === time && !this.isPoint) values[last] = value;
    else if (last < 0 || times[last] <= time) {
      times.push(time);
      values.push(value);
    }
  }

  // After all values were added.
  finish() {
    this.times = Float64Array.from(this.times);
    this.values = Float64Array.from(this.values);
    let below = this.values;
    while (below.length > 1) {
      const level = new Float64Array((below.length + 3) >> kShift);
      for (let b = 0; b < level.length; b++) level[b] = Math.max(...below.subarray(b << kShift, (b << kShift) + 4));
      this.levels.push(level);
      below = level;
    }
    this.highest = below.length > 0 ? below[0] : 0;
  }

  get length() {
    return this.times.length;
  }

  // The number of values up to and including this time.
  countUpTo(time) {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      work.touched++;
      if (this.times[middle] <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // The value at this time; NaN before the first.
  at(time) {
    const count = this.countUpTo(time);
    return count === 0 ? NaN : this.values[count - 1];
  }

  // The highest of the values [from, to), which is not empty.
  maximum(from, to) {
    let best = this.values[from];
    for (let i = from; i < to;) {
      let k = 0;
      let size = 1;
      while (k < this.levels.length && (i & (size * 4 - 1)) === 0 && i + size * 4 <= to) {
        size *= 4;
        k++;
      }
      work.touched++;
      best = Math.max(best, k === 0 ? this.values[i] : this.levels[k - 1][i / size]);
      i += size;
    }
    return best;
  }

  // Calls draw(x, width, value) from left to right for steps of `least` pixels or more, with the highest value of each.
  // Equal consecutive steps are merged.
  visit(t0, t1, width, least, draw) {
    const scale = width / (t1 - t0);
    let next = this.countUpTo(t0);
    let held = this.isPoint || next === 0 ? NaN : this.values[next - 1];
    let startX = 0;
    let shown = NaN;
    const close = (x) => {
      if (shown > 0 && x > startX) {
        work.drawn++;
        draw(startX, x - startX, shown);
      }
    };
    // From change to change, or from edge to edge where there are many.
    for (let x = 0; x < width;) {
      let edge = x + least;
      const upTo = this.countUpTo(t0 + edge / scale);
      let value = held;
      if (upTo > next) {
        const most = this.maximum(next, upTo);
        value = held > most ? held : most;
        if (!this.isPoint) held = this.values[upTo - 1];
        next = upTo;
      } else if (next < this.length) {
        edge = Math.max(edge, Math.floor((this.times[next] - t0) * scale / least) * least);
      } else {
        edge = width;
      }
      if (value !== shown && !(Number.isNaN(value) && Number.isNaN(shown))) {
        close(x);
        startX = x;
        shown = value;
      }
      x = Math.min(edge, width);
    }
    close(width);
  }
}
