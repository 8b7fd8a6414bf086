'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { ListHeap, kIdle, kNotInHeap } = require('internal/timers/list_heap');
const { makeRandom } = require('../../../tests/lib/random');

const byKey = (a, b) => a.expiry - b.expiry || a.id - b.id;

// Returns the first list in its correct place. Lists whose expiry has increased are sorted again, as the timers do.
function settle(heap) {
  for (let list = heap.first(); list !== undefined; list = heap.first()) {
    if (list.filedExpiry === list.expiry && !heap.hasMoved(list)) return list;
    heap.updateFirst(list);
  }
  return undefined;
}

function drain(heap) {
  const order = [];
  for (let list = settle(heap); list !== undefined; list = settle(heap)) {
    order.push(list);
    heap.removeFirst();
  }
  return order;
}

test('an empty heap has no first list', () => {
  const heap = new ListHeap();
  assert.strictEqual(heap.first(), undefined);
  heap.sweep(() => assert.fail('nothing is there'));
  assert.strictEqual(heap.size, 0);
});

test('equal expiries come in the order of ids', () => {
  const heap = new ListHeap();
  for (const id of [3, 1, 2]) heap.push({ expiry: 10, id });
  assert.deepStrictEqual(drain(heap).map((list) => list.id), [1, 2, 3]);
});

test('a heap does not keep lists that were removed', () => {
  const heap = new ListHeap();
  const lists = [1, 2, 3].map((expiry) => ({ expiry, id: expiry }));
  for (const list of lists) heap.push(list);
  drain(heap);
  assert.ok(heap.items.every((item) => item === undefined));
});

test('a list that expires earlier than before comes earlier', () => {
  const heap = new ListHeap();
  const lists = [10, 20, 30].map((expiry, i) => ({ expiry, id: i + 1 }));
  for (const list of lists) heap.push(list);
  lists[2].expiry = 5;
  heap.advance(lists[2]);
  assert.deepStrictEqual(drain(heap).map((list) => list.id), [3, 1, 2]);
});

test('sweeping takes out lists that are not queued', () => {
  const heap = new ListHeap();
  const lists = [4, 3, 2, 1].map((expiry) => ({ expiry, id: expiry }));
  for (const list of lists) heap.push(list);
  lists[0].id = kIdle;
  lists[2].id = kIdle;
  const forgotten = [];
  heap.sweep((list) => forgotten.push(list.expiry));
  assert.deepStrictEqual(forgotten.sort(), [2, 4]);
  assert.strictEqual(lists[0].id, kNotInHeap);
  assert.deepStrictEqual(drain(heap).map((list) => list.expiry), [1, 3]);
});

test('pushed, delayed, advanced, removed and swept at random, the least is first', () => {
  const random = makeRandom(1);
  const heap = new ListHeap();
  let model = [];
  for (let step = 1; step <= 5000; step++) {
    const action = random(10);
    if (action < 5 || model.length === 0) {
      const list = { expiry: random(50), id: step };
      heap.push(list);
      model.push(list);
    } else if (action < 6) {
      settle(heap);
      heap.removeFirst();
      model.shift();
    } else if (action < 9) {
      const list = model[random(model.length)];
      const before = list.expiry;
      list.expiry = random(50);
      if (list.expiry < before && list.expiry < list.filedExpiry) heap.advance(list);
    } else if (random(20) === 0) {
      const dropped = new Set(model.filter(() => random(4) === 0));
      for (const list of dropped) list.id = kIdle;
      const forgotten = new Set();
      heap.sweep((list) => forgotten.add(list));
      assert.deepStrictEqual(forgotten, dropped);
      model = model.filter((list) => !dropped.has(list));
    }
    model.sort(byKey);
    assert.strictEqual(settle(heap), model[0]);
    assert.strictEqual(heap.size, model.length);
  }
  assert.deepStrictEqual(drain(heap), model);
});
