'use strict';
// Numbers that look random and are the same in each run, for the tests beside the files of lib.

function makeRandom(seed) {
  let state = seed >>> 0;
  // A whole number from 0 to most - 1.
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * most);
  };
}

module.exports = { makeRandom };
