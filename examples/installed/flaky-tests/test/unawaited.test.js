'use strict';
// The first test does not wait for a promise, and what it does happens during the next test.
const assert = require('node:assert');
const { readFile } = require('node:fs/promises');
const test = require('node:test');
const { setTimeout: sleep } = require('node:timers/promises');

const cart = {
  items: [],
  async add(item) {
    await sleep(20); // Asks whether the item is available.
    this.items.push(item);
  },
};

test('an item can be added', () => {
  cart.add('book'); // Without await.
});

test('a cleared cart is empty', async () => {
  cart.items = [];
  await readFile(__filename);
  assert.deepStrictEqual(cart.items, []);
});
