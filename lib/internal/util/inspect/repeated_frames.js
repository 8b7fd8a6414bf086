'use strict';

// Blocks of stack frames that repeat one after the other, as recursion makes them.

const { ArrayPrototypeFilter, ArrayPrototypeIncludes, ArrayPrototypeIndexOf, ArrayPrototypePush, SafeMap } =
  primordials;

// Fewer repeated lines than this are shown.
const kFewestLines = 3;

// Number of repetitions of the block of `length` frames at `start`.
function timesRepeated(frames, start, length) {
  for (let times = 0; ; times++) {
    const next = start + (times + 1) * length;
    for (let i = 0; i < length; i++) {
      if (frames[start + i] !== frames[next + i]) return times;
    }
  }
}

// The distances from `start` to later places of the same line that may be the length of a block, the shortest last.
function candidateLengths(positions, index, start) {
  const lengths = [];
  let common = 0;
  for (let i = index; i < positions.length && common !== 1; i++) {
    let distance = positions[i] - start;
    // The greatest common divisor of all distances is the most likely one.
    while (distance !== 0) {
      const remainder = common % distance;
      if (common !== 0 && !ArrayPrototypeIncludes(lengths, common)) ArrayPrototypePush(lengths, common);
      common = distance;
      distance = remainder;
    }
  }
  const others = ArrayPrototypeFilter(lengths, (length) => length !== common);
  ArrayPrototypePush(others, common);
  return others;
}

// [{ start, length, times }, ...]: where the repetitions begin, how long the block is, and how often it comes again.
function findRepeatedFrames(frames) {
  const result = [];
  const places = new SafeMap();
  for (let i = 0; i < frames.length; i++) {
    const known = places.get(frames[i]);
    if (known === undefined) places.set(frames[i], [i]);
    else ArrayPrototypePush(known, i);
  }
  if (frames.length - places.size <= kFewestLines) return result;
  for (let i = 0; i < frames.length - kFewestLines; i++) {
    const positions = places.get(frames[i]);
    const next = ArrayPrototypeIndexOf(positions, i) + 1;
    if (next === positions.length || positions[positions.length - 1] - i < kFewestLines) continue;
    const lengths = candidateLengths(positions, next, i);
    let best = { start: i, length: 0, times: 0 };
    for (let j = lengths.length - 1; j >= 0; j--) {
      const length = lengths[j];
      const times = timesRepeated(frames, i, length);
      if (times * length > best.times * best.length) best = { start: i + length, length, times };
    }
    if (best.times * best.length < kFewestLines) continue;
    ArrayPrototypePush(result, best);
    // Continue after the collapsed frames.
    i += best.length * (best.times + 1) - 1;
  }
  return result;
}

module.exports = { findRepeatedFrames };
