'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { RandomSearch, SystematicSearch, countDeviations, scheduleOf } = require('internal/explore/search');

// A program whose decisions have so many options, one after the other; its states are all different.
function run(schedule, options, stateOf = (picks) => picks.join()) {
  const picks = options.map(() => 0);
  for (const part of schedule === '-' ? [] : schedule.split('.')) {
    const [, at, pick] = /^(\d+)t(\d+)\/\d+$/.exec(part);
    picks[at] = Number(pick);
  }
  return {
    isCut: false,
    picks,
    decisions: options.map((count, i) => (
      { state: stateOf([i, ...picks.slice(0, i)]), options: count, letter: 't', picked: picks[i] })),
  };
}

function explore(search, options, stateOf) {
  const seen = [];
  for (let task = search.next(); task !== null; task = search.next()) {
    const made = run(task.schedule, options, stateOf);
    assert.strictEqual(countDeviations(task.schedule), task.deviations);
    assert.strictEqual(scheduleOf(made.decisions), task.schedule);
    seen.push(made.picks.join(''));
    search.done(task, made);
  }
  assert.ok(search.isDone);
  return seen;
}

test('every order is run once, those with fewest deviations first', () => {
  const search = new SystematicSearch({});
  const seen = explore(search, [2, 3, 1, 2]);
  assert.strictEqual(seen.length, 12);
  assert.strictEqual(new Set(seen).size, 12);
  assert.strictEqual(seen[0], '0000');
  const deviations = seen.map((picks) => [...picks].filter((pick) => pick !== '0').length);
  assert.deepStrictEqual(deviations, deviations.toSorted((a, b) => a - b));
  assert.ok(!search.isCut);
});

test('a bound leaves out orders with more deviations, and says so', () => {
  const search = new SystematicSearch({ bound: 1 });
  assert.deepStrictEqual(explore(search, [2, 2, 2]).toSorted(), ['000', '001', '010', '100']);
  assert.ok(search.isCut);
  const whole = new SystematicSearch({ bound: 3 });
  assert.strictEqual(explore(whole, [2, 2, 2]).length, 8);
});

test('states that were reached before are not explored again', () => {
  // The state depends only on the number of decisions.
  const stateOf = ([at]) => `${at}`;
  const search = new SystematicSearch({});
  assert.ok(explore(search, [2, 2, 2, 2], stateOf).length < 16);
  assert.ok(search.merged > 0);
  const thorough = new SystematicSearch({ reduces: false });
  assert.strictEqual(explore(thorough, [2, 2, 2, 2], stateOf).length, 16);
  assert.strictEqual(thorough.merged, 0);
});

test('a run that is under way may bring more', () => {
  const search = new SystematicSearch({});
  const first = search.next();
  assert.strictEqual(search.next(), null);
  assert.ok(!search.isDone);
  search.done(first, run('-', [2]));
  assert.notStrictEqual(search.next(), null);
});

test('a run that was cut cuts the search', () => {
  const search = new SystematicSearch({});
  search.done(search.next(), { ...run('-', []), isCut: true });
  assert.ok(search.isCut && search.isDone);
});

test('random runs: so many, with seeds of 64 bits that differ', () => {
  const search = new RandomSearch({ runs: 50, seed: 1 });
  const seeds = new Set();
  for (let task = search.next(); task !== null; task = search.next()) {
    assert.strictEqual(task.schedule, '-');
    assert.ok(BigInt(task.seed) < 2n ** 64n);
    seeds.add(task.seed);
    assert.ok(!search.isDone);
    search.done(task);
  }
  assert.strictEqual(seeds.size, 50);
  assert.ok(search.isDone);
  assert.strictEqual(new RandomSearch({ runs: 1, seed: 7 }).next().seed, '7');
});
