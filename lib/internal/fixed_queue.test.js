'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const FixedQueue = require('internal/fixed_queue');
const { makeRandom } = require('../../tests/lib/random');

test('an empty queue gives null', () => {
  const queue = new FixedQueue();
  assert.ok(queue.isEmpty());
  assert.strictEqual(queue.shift(), null);
});

test('a block goes round without a second one', () => {
  const queue = new FixedQueue();
  const block = queue.head;
  for (let i = 0; i < 10_000; i++) {
    queue.push(i);
    assert.strictEqual(queue.shift(), i);
  }
  assert.ok(queue.isEmpty());
  assert.strictEqual(queue.head, block);
});

test('blocks that are full are chained, and left when they are empty', () => {
  for (const count of [2046, 2047, 2048, 2049, 4094, 4095, 10_000]) {
    const queue = new FixedQueue();
    for (let i = 0; i < count; i++) queue.push(i);
    for (let i = 0; i < count; i++) {
      assert.ok(!queue.isEmpty(), `${i} of ${count}`);
      assert.strictEqual(queue.shift(), i);
    }
    assert.ok(queue.isEmpty(), `${count}`);
    assert.strictEqual(queue.shift(), null);
  }
});

test('pushed and shifted at random it is first in, first out', () => {
  const random = makeRandom(2);
  const queue = new FixedQueue();
  let pushed = 0;
  let shifted = 0;
  for (let round = 0; round < 200; round++) {
    for (let i = random(400); i > 0; i--) queue.push(pushed++);
    for (let i = random(400); i > 0; i--) {
      assert.strictEqual(queue.shift(), shifted < pushed ? shifted++ : null);
    }
    assert.strictEqual(queue.isEmpty(), shifted === pushed);
  }
});
