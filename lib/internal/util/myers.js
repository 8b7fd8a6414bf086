'use strict';

// The shortest list of insertions and deletions that turns one sequence into another (Myers' algorithm).

const { ArrayPrototypePush, ArrayPrototypeReverse, Int32Array, StringPrototypeEndsWith } = primordials;

const { codes: { ERR_OUT_OF_RANGE } } = require('internal/errors');

const kDelete = -1;
const kKeep = 0;
const kInsert = 1;

const kMostItems = 2 ** 31 - 1;

// With `ignoresComma`, lines are equal if they differ only in the comma that the last item of a list lacks.
function isSame(a, b, ignoresComma) {
  return a === b || (ignoresComma && (`${a},` === b || a === `${b},`));
}

// On which diagonal the step to `diagonal` at `depth` began.
function previousDiagonal(furthest, diagonal, depth, middle) {
  const isDown = diagonal === -depth ||
      (diagonal !== depth && furthest[middle + diagonal - 1] < furthest[middle + diagonal + 1]);
  return isDown ? diagonal + 1 : diagonal - 1;
}

// The state before each depth of the search, from which the path is read backwards.
function search(actual, expected, ignoresComma) {
  const middle = actual.length + expected.length;
  if (middle > kMostItems) throw new ERR_OUT_OF_RANGE('myersDiff input size', '< 2^31', middle);
  const furthest = new Int32Array(2 * middle + 2);
  const states = [];
  for (let depth = 0; depth <= middle; depth++) {
    ArrayPrototypePush(states, new Int32Array(furthest));
    for (let diagonal = -depth; diagonal <= depth; diagonal += 2) {
      const from = previousDiagonal(furthest, diagonal, depth, middle);
      let x = from > diagonal ? furthest[middle + from] : furthest[middle + from] + 1;
      let y = x - diagonal;
      while (x < actual.length && y < expected.length && isSame(actual[x], expected[y], ignoresComma)) {
        x++;
        y++;
      }
      furthest[middle + diagonal] = x;
      if (x >= actual.length && y >= expected.length) return states;
    }
  }
  return states;
}

// [[operation, value], ...] in order: kInsert for what only `actual` has, kDelete for what only `expected` has.
function myersDiff(actual, expected, ignoresComma = false) {
  const states = search(actual, expected, ignoresComma);
  const middle = actual.length + expected.length;
  const result = [];
  let x = actual.length;
  let y = expected.length;
  for (let depth = states.length - 1; depth >= 0; depth--) {
    const state = states[depth];
    const from = previousDiagonal(state, x - y, depth, middle);
    const fromX = state[middle + from];
    const fromY = fromX - from;
    while (x > fromX && y > fromY) {
      x--;
      y--;
      const takesExpected = ignoresComma && !StringPrototypeEndsWith(actual[x], ',');
      ArrayPrototypePush(result, [kKeep, takesExpected ? expected[y] : actual[x]]);
    }
    if (depth > 0) ArrayPrototypePush(result, x > fromX ? [kInsert, actual[--x]] : [kDelete, expected[--y]]);
  }
  return ArrayPrototypeReverse(result);
}

module.exports = { kDelete, kInsert, kKeep, myersDiff };
