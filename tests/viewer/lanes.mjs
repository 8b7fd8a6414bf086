// Rows of the timeline compared with a linear search: pages.mjs runs it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

// As text: the page's sources are for a bundler, and are not marked as modules.
const text = readFileSync(new URL('../../viewer/page/src/data/lane.js', import.meta.url), 'utf8');
const { Lane } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
const counterText = readFileSync(new URL('../../viewer/page/src/data/counter.js', import.meta.url), 'utf8')
  .replace(/^import .*$/m, 'const work = { touched: 0, drawn: 0 };');
const { Counter } = await import(`data:text/javascript,${encodeURIComponent(counterText)}`);

let seed = 7;
function random(most) {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return (seed >>> 8) % most;
}

function makeLane(count) {
  const spans = { begin: new Float64Array(count), end: new Float64Array(count) };
  const lane = new Lane(spans);
  let time = 0;
  for (let i = 0; i < count; i++) {
    spans.begin[i] = time += random(20);
    spans.end[i] = time += random(10) === 0 ? random(3000) : random(30);
    lane.add(i);
  }
  lane.finish();
  return { spans, lane, end: time };
}

export function checkLanes() {
  for (const count of [0, 1, 2, 5, 63, 64, 65, 1000, 5000]) {
    const { spans, lane, end } = makeLane(count);
    const { begin, end: stop } = spans;
    for (let round = 0; round < 60; round++) {
      const from = random(end + 20) - 10;
      const to = from + random(end + 20);
      const low = random(count + 1);
      const begins = [...begin.keys()].find((i) => i >= low && begin[i] >= from) ?? count;
      assert.equal(lane.firstBeginningAt(from, low), begins);
      assert.equal(lane.firstEndingAfter(from), [...stop.keys()].find((i) => stop[i] > from) ?? count);
      let busy = 0;
      for (let i = 0; i < count; i++) busy += Math.max(0, Math.min(stop[i], to) - Math.max(begin[i], from));
      assert.ok(Math.abs(lane.busy(from, to) - busy) < 1e-6, `busy ${lane.busy(from, to)} and ${busy}`);
      if (low < count) {
        const high = low + 1 + random(count - low);
        const longest = Math.max(...Array.from({ length: high - low }, (_, i) => stop[low + i] - begin[low + i]));
        assert.equal(lane.duration(lane.longest(low, high)), longest);
      }
      // The drawn groups contain every visible span once, in order, and are no more than fit.
      if (to <= from) continue;
      let next = -1;
      let drawn = 0;
      lane.visit(from, to, 200, 2, (x, width, span, coverage, first, last) => {
        if (next >= 0) assert.equal(first, next);
        assert.ok(span >= first && span < last && coverage >= 0 && coverage <= 1);
        next = last;
        drawn++;
      });
      assert.ok(drawn <= 320, `${drawn} drawn`);
      if (next >= 0) assert.ok(next >= count || begin[next] >= to);
    }
  }
}

// Counters: the drawn height is the highest value within its pixels, and there is no gap.
export function checkCounters() {
  for (const count of [0, 1, 2, 5, 63, 64, 65, 1000, 5000]) {
    for (const isPoint of [false, true]) {
      const counter = new Counter('some', '', isPoint);
      let end = 0;
      for (let i = 0; i < count; i++) counter.add(end += 1 + random(30), random(4) === 0 ? 0 : random(100));
      counter.finish();
      const { times, values } = counter;
      assert.equal(counter.highest, Math.max(0, ...values));
      for (let round = 0; round < 40; round++) {
        const from = random(end + 20) - 10;
        const to = from + 1 + random(end + 20);
        const before = [...times.keys()].filter((i) => times[i] <= from);
        assert.deepEqual(counter.at(from), before.length === 0 ? NaN : values[before.length - 1]);
        const heights = new Float64Array(200);
        let last = 0;
        let drawn = 0;
        counter.visit(from, to, 200, 2, (x, width, value) => {
          assert.ok(x >= last && width > 0 && x + width <= 200, `${x} ${width} after ${last}`);
          last = x + width;
          drawn++;
          heights.fill(value, Math.round(x), Math.round(x + width));
        });
        assert.ok(drawn <= 101, `${drawn} drawn`);
        const highest = (t0, t1) => {
          let best = 0;
          for (let i = 0; i < count; i++) {
            const until = isPoint ? times[i] : times[i + 1] ?? Infinity;
            if (times[i] < t1 - 1e-6 && (isPoint ? times[i] > t0 + 1e-6 : until > t0 + 1e-6)) {
              best = Math.max(best, values[i]);
            }
          }
          return best;
        };
        for (let x = 0; x < 200; x += 2) {
          const t0 = from + (x / 200) * (to - from);
          const t1 = from + ((x + 2) / 200) * (to - from);
          assert.ok(heights[x] >= highest(t0, t1) - 1e-9, `${heights[x]} at ${x}, and there is ${highest(t0, t1)}`);
          // Not higher than nearby values: half a step beside it is drawn with it.
          assert.ok(heights[x] <= highest(t0 - (t1 - t0), t1 + (t1 - t0)) + 1e-9, `${heights[x]} at ${x}`);
        }
      }
    }
  }
}
