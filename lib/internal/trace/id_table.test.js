'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { IdTable } = require('internal/trace/id_table');
const { makeRandom } = require('../../../tests/lib/random');

test('ids that were not set are not found', () => {
  const table = new IdTable();
  assert.strictEqual(table.find(0), -1);
  table.set(5, 0, 0);
  for (const id of [0, -5, 5 + 2 ** 32, 69]) assert.strictEqual(table.find(id), -1, `${id}`);
});

test('a value of 0 is a value', () => {
  const table = new IdTable();
  table.set(0, 0, 0);
  const at = table.find(0);
  assert.notStrictEqual(at, -1);
  assert.strictEqual(table.first[at], 0);
});

test('setting again replaces both numbers and takes the mark away', () => {
  const table = new IdTable();
  table.set(7, 1, 2);
  table.mark[table.find(7)] = 1;
  table.set(7, 3, 4);
  const at = table.find(7);
  assert.deepStrictEqual([table.size, table.first[at], table.second[at], table.mark[at]], [1, 3, 4, 0]);
});

test('growing keeps everything, marks as well', () => {
  const random = makeRandom(3);
  const table = new IdTable(1);
  const model = new Map();
  const kinds = [
    (i) => i, (i) => -i, (i) => i * 2 ** 32, (i) => 2 ** 53 - i, () => random(1000), (i) => i * 64,
  ];
  for (let i = 0; i < 20_000; i++) {
    const id = kinds[random(kinds.length)](i);
    // 0 and -0 are the same id.
    model.set(id === 0 ? 0 : id, [i, i - 10_000]);
    table.set(id, i, i - 10_000);
  }
  for (const [id] of model) if (id % 3 === 0) table.mark[table.find(id)] = 1;
  table.grow();
  assert.strictEqual(table.size, model.size);
  for (const [id, [first, second]] of model) {
    const at = table.find(id);
    assert.deepStrictEqual([table.first[at], table.second[at], table.mark[at]], [first, second, id % 3 === 0 ? 1 : 0]);
  }
});
