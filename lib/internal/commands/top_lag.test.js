'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { percentile } = require('internal/commands/top_lag');

test('nothing new is all zeros', () => {
  assert.deepStrictEqual(percentile([], []), { count: 0, p50: 0, p99: 0, max: 0 });
  assert.deepStrictEqual(percentile([[1, 5]], [[1, 5]]), { count: 0, p50: 0, p99: 0, max: 0 });
});

test('one timer is every percentile', () => {
  assert.deepStrictEqual(percentile([[1, 3]], [[1, 3], [8, 1]]), { count: 1, p50: 8, p99: 8, max: 8 });
});

test('of two timers the median is the earlier one', () => {
  assert.deepStrictEqual(percentile([], [[1, 1], [2, 1]]), { count: 2, p50: 1, p99: 1, max: 2 });
});

test('percentiles are those of the sorted list', () => {
  const before = [[1, 10], [2, 4], [4, 1]];
  const now = [[1, 60], [2, 40], [4, 14], [8, 1], [16, 1]];
  const list = [];
  for (const [edge, total] of now) {
    const more = total - (before.find(([other]) => other === edge)?.[1] ?? 0);
    for (let i = 0; i < more; i++) list.push(edge);
  }
  const at = (percent) => list[Math.floor(percent / 100 * (list.length - 1))];
  assert.deepStrictEqual(percentile(before, now), { count: list.length, p50: at(50), p99: at(99), max: 16 });
});
