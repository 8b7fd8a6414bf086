'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { kDelete, kInsert, kKeep, myersDiff } = require('internal/util/myers');
const { makeRandom } = require('../../../tests/lib/random');

// The length of the longest common subsequence, by the definition.
function longestCommon(a, b) {
  const rows = [new Array(b.length + 1).fill(0)];
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [0];
    for (let j = 1; j <= b.length; j++) {
      rows[i][j] = a[i - 1] === b[j - 1] ? rows[i - 1][j - 1] + 1 : Math.max(rows[i - 1][j], rows[i][j - 1]);
    }
  }
  return rows[a.length][b.length];
}

function side(diff, operation) {
  return diff.filter(([one]) => one === kKeep || one === operation).map(([, value]) => value);
}

test('both sequences can be read from the difference, which is the shortest', () => {
  const random = makeRandom(6);
  for (let round = 0; round < 500; round++) {
    const letters = 1 + random(4);
    const make = () => Array.from({ length: random(12) }, () => 'abcd'[random(letters)]);
    const [actual, expected] = [make(), make()];
    const diff = myersDiff(actual, expected);
    assert.deepStrictEqual(side(diff, kInsert), actual);
    assert.deepStrictEqual(side(diff, kDelete), expected);
    assert.strictEqual(diff.filter(([one]) => one === kKeep).length, longestCommon(actual, expected));
  }
});

test('empty and equal sequences', () => {
  assert.deepStrictEqual(myersDiff([], []), []);
  assert.deepStrictEqual(myersDiff(['a'], []), [[kInsert, 'a']]);
  assert.deepStrictEqual(myersDiff([], ['a']), [[kDelete, 'a']]);
  assert.deepStrictEqual(myersDiff(['a', 'b'], ['a', 'b']), [[kKeep, 'a'], [kKeep, 'b']]);
});

test('the comma that the last item lacks makes no difference, if so wished', () => {
  assert.deepStrictEqual(myersDiff(['a,', 'b'], ['a'], true), [[kKeep, 'a,'], [kInsert, 'b']]);
  assert.strictEqual(myersDiff(['a,'], ['a'], false).length, 2);
  assert.deepStrictEqual(myersDiff(['a'], ['a,'], true), [[kKeep, 'a,']]);
});
