// Rows of the timeline against what a plain look at every span says: pages.mjs runs it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

// As text: the page's sources are for a bundler, which needs nobody to say that they are modules.
const text = readFileSync(new URL('../../viewer/page/src/data/lane.js', import.meta.url), 'utf8');
const { Lane } = await import(`data:text/javascript,${encodeURIComponent(text)}`);

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
      // What is drawn holds every visible span once, in order, and is no more than the room has place for.
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
