'use strict';
// Tests in random order: --test-randomize, --test-random-seed.

const { MathFloor, MathImul, MathRandom } = primordials;

const kSeeds = 2 ** 32;

function makeSeed() {
  return MathFloor(MathRandom() * kSeeds);
}

// Mulberry32, as in Node, so that a seed means the same order. Returns a function that draws an index below `count`.
function makeDraw(seed) {
  let state = seed | 0;
  return (count) => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = MathImul(state ^ (state >>> 15), state | 1);
    bits ^= bits + MathImul(bits ^ (bits >>> 7), bits | 61);
    return MathFloor(((bits ^ (bits >>> 14)) >>> 0) / kSeeds * count);
  };
}

module.exports = { makeDraw, makeSeed };
