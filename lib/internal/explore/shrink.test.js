'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { shrink } = require('internal/explore/shrink');
const { makeRandom } = require('../../../tests/lib/random');

const partsOf = (schedule) => (schedule === '-' ? [] : schedule.split('.'));

test('the plain order stays as it is, and is preferred', async () => {
  assert.strictEqual(await shrink('-', () => assert.fail('nothing to try')), '-');
  assert.strictEqual(await shrink('0t1/2.3t1/2', async () => true), '-');
});

test('what is needed is all that is left', async () => {
  const random = makeRandom(4);
  for (let round = 0; round < 300; round++) {
    const count = 1 + random(20);
    const all = Array.from({ length: count }, (_, i) => `${i}t1/2`);
    const needed = all.filter(() => random(4) === 0);
    if (needed.length === 0) needed.push(all[random(count)]);
    let runs = 0;
    const isSame = async (schedule) => {
      runs++;
      const parts = partsOf(schedule);
      return needed.every((part) => parts.includes(part));
    };
    assert.strictEqual(await shrink(all.join('.'), isSame), needed.join('.'), `${count} parts`);
    assert.ok(runs <= count * count + count + 1, `${runs} runs for ${count}`);
  }
});

test('no deviation can be left out of the result', async () => {
  const random = makeRandom(5);
  for (let round = 0; round < 100; round++) {
    const all = Array.from({ length: 2 + random(10) }, (_, i) => `${i}t1/2`);
    // An outcome that two deviations together bring about, or that any three do.
    const isSame = async (schedule) => {
      const parts = partsOf(schedule);
      return (parts.includes(all[0]) && parts.includes(all.at(-1))) || parts.length >= 3;
    };
    const least = partsOf(await shrink(all.join('.'), isSame));
    for (const part of least) {
      const rest = least.filter((other) => other !== part);
      assert.ok(rest.length === 0 || !(await isSame(rest.join('.'))), `${least} without ${part}`);
    }
  }
});
