// Finds the span or counter under the pointer.
import { Span } from '../data/thread.js';
import { kAxisHeight } from './rows.js';

const kReach = 4; // Pixels beside a span that still count.

function rowAt(scene, x, y) {
  if (x < scene.gutter || y < kAxisHeight) return undefined;
  const at = y - kAxisHeight + scene.scroll;
  return scene.rows.find((candidate) => at >= candidate.y && at < candidate.y + candidate.height);
}

// { counter, value } or null.
export function pickCounter(scene, x, y) {
  const row = rowAt(scene, x, y);
  if (row === undefined || row.kind !== 'counter') return null;
  const perPixel = (scene.view.to - scene.view.from) / (scene.width - scene.gutter);
  const value = row.counter.at(scene.view.from + (x - scene.gutter) * perPixel);
  return Number.isNaN(value) ? null : { counter: row.counter, value };
}

// { thread, span } or null. Of a group, the longest one.
export function pick(scene, x, y) {
  const row = rowAt(scene, x, y);
  if (row === undefined || row.kind === 'heading' || row.kind === 'counter') return null;
  const at = y - kAxisHeight + scene.scroll;
  const perPixel = (scene.view.to - scene.view.from) / (scene.width - scene.gutter);
  const time = scene.view.from + (x - scene.gutter) * perPixel;
  const { lanes } = row.thread;
  const inner = at - row.y;
  let candidates = row.lanes;
  if (row.kind === Span.phase) candidates = [lanes.waits, lanes.phases];
  else if (row.kind === Span.callback && row.number === 0) {
    candidates = inner < 5 ? [lanes.loopCallbacks, ...row.lanes] : [...row.lanes, lanes.loopCallbacks];
  } else if (row.kind === Span.tick) {
    candidates = inner < 6 ? [lanes.tickDrains, lanes.microtaskDrains, lanes.tasks] :
      [lanes.tasks, lanes.microtaskDrains, lanes.tickDrains];
  }
  for (const lane of candidates) {
    const span = nearest(lane, time, perPixel);
    if (span >= 0) return { thread: row.thread, span };
  }
  return null;
}

function nearest(lane, time, perPixel) {
  const from = lane.firstEndingAfter(time - perPixel);
  const to = lane.firstBeginningAt(time + perPixel, from);
  if (from < to) return lane.ids[lane.longest(from, to)];
  const { begin, end } = lane.spans;
  // Nothing exactly here: the nearest one, if it is close enough.
  let best = -1;
  let distance = kReach * perPixel;
  for (const i of [from - 1, from]) {
    if (i < 0 || i >= lane.length) continue;
    const id = lane.ids[i];
    const away = begin[id] > time ? begin[id] - time : time - end[id];
    if (away < distance) {
      distance = away;
      best = id;
    }
  }
  return best;
}
