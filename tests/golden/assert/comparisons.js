'use strict';
const assert = require('node:assert');

function attempt(call) {
  try {
    call();
    console.log('passed');
  } catch (error) {
    console.log(`--- ${error.name} ${error.code} ${error.operator} ${error.generatedMessage}`);
    console.log(error.message);
  }
}
const object = { a: 1 };
const pairs = [
  [1, 1], [1, 2], [1, '1'], [0, -0], [NaN, NaN], [null, undefined], ['a', 'b'], ['same', 'same'], [true, 1], [1n, 1],
  [object, object], [{ a: 1 }, { a: 1 }], [{ a: 1, b: { c: 2 } }, { a: 1, b: { c: 3 } }], [[], {}], [[1, 2, 3], [1, 2, 4]],
  ['a long string of text', 'a long string of test'], ['one\ntwo\nthree', 'one\n2\nthree'], [() => {}, () => {}],
  [new Date(0), new Date(1)], [/a/g, /a/i], [new Error('a'), new Error('b')], [Symbol('a'), Symbol('a')],
  [new Set([1, { a: 1 }]), new Set([{ a: 1 }, 1])], [new Map([['k', [1]]]), new Map([['k', [2]]])],
  [new Uint8Array([1, 2]), new Uint8Array([1, 3])], [[1, , 3], [1, undefined, 3]], [{ a: undefined }, {}],
  [Object.create(null), {}], [new (class A {})(), new (class B {})()],
  [Array.from({ length: 60 }, (_, i) => i), Array.from({ length: 60 }, (_, i) => (i === 30 ? 99 : i))],
  [Array.from({ length: 90 }, (_, i) => i), Array.from({ length: 90 }, (_, i) => i * 2)],
];
const cycle = { name: 'cycle' };
cycle.self = cycle;
const other = { name: 'cycle' };
other.self = other;
pairs.push([cycle, other]);
const names = ['equal', 'notEqual', 'strictEqual', 'notStrictEqual', 'deepEqual', 'notDeepEqual', 'deepStrictEqual',
  'notDeepStrictEqual'];
for (const [actual, expected] of pairs) {
  for (const name of names) {
    console.log(name);
    attempt(() => assert[name](actual, expected));
  }
}
for (const message of ['a message', '', null, undefined, 5, { text: 1 }, new TypeError('an error')]) {
  attempt(() => assert.strictEqual(1, 2, message));
  attempt(() => assert.deepStrictEqual({ a: 1 }, { a: 2 }, message));
  attempt(() => assert.equal(1, 2, message));
  attempt(() => assert.notEqual(1, 1, message));
}
for (const name of names) {
  attempt(() => assert[name]());
  attempt(() => assert[name](1));
}
