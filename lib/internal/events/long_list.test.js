'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { compact, copyOf, countOf, isLong, moveIndex, noteAdded, removeFrom } = require('internal/events/long_list');
const { makeRandom } = require('../../../tests/lib/random');

test('a list is long from 64 listeners, or once it has an index', () => {
  const make = (length) => Array.from({ length }, () => () => {});
  assert.ok(!isLong(make(63)));
  assert.ok(isLong(make(64)));
  const list = make(64);
  removeFrom(list, list[3]);
  for (let i = 0; i < 30; i++) removeFrom(list, list.at(-1));
  assert.ok(isLong(list));
});

test('added and removed at random, it is a list from whose end listeners are removed', () => {
  const random = makeRandom(7);
  const listeners = Array.from({ length: 40 }, () => () => {});
  // Wrapped like the listeners of once().
  const wraps = listeners.map((listener) => Object.assign(() => {}, { listener }));
  let list = [];
  const model = [];
  for (let step = 0; step < 20_000; step++) {
    const which = random(40);
    if (model.length < 20 || (model.length < 200 && random(2) === 0)) {
      const added = random(3) === 0 ? wraps[which] : listeners[which];
      list.push(added);
      noteAdded(list);
      model.push(added);
    } else {
      const wanted = listeners[which];
      const at = model.findLastIndex((one) => one === wanted || one.listener === wanted);
      assert.strictEqual(removeFrom(list, wanted), at >= 0);
      if (at >= 0) model.splice(at, 1);
    }
    assert.strictEqual(countOf(list), model.length);
    if (random(500) === 0) {
      const copy = copyOf(list);
      assert.deepStrictEqual(copy, model);
      assert.strictEqual(countOf(list), model.length);
    }
    if (random(700) === 0) {
      const moved = list.slice();
      moveIndex(list, moved);
      list = moved;
    }
    if (random(1000) === 0) {
      compact(list);
      assert.deepStrictEqual(list, model);
    }
  }
});

test('one that is not there is not removed', () => {
  const list = Array.from({ length: 70 }, () => () => {});
  assert.strictEqual(removeFrom(list, () => {}), false);
  assert.strictEqual(countOf(list), 70);
});
