'use strict';
const assert = require('node:assert');
const { Assert } = assert;
const attempt = (call) => {
  try {
    call();
    console.log('passed');
  } catch (error) {
    console.log(error.name, error.code, error.diff, error.message);
  }
};
attempt(() => Assert());
attempt(() => new Assert({ diff: 'x' }));
const strict = new Assert();
const loose = new Assert({ strict: false, diff: 'full' });
attempt(() => strict.equal(1, '1'));
attempt(() => loose.equal(1, '1'));
attempt(() => new Assert({ skipPrototype: true }).deepStrictEqual({ a: 1 }, { __proto__: null, a: 1 }));
attempt(() => loose.deepStrictEqual([1, 2, 3], [1, 3]));
for (const [actual, expected] of [
  [{ a: 1, b: 2 }, { a: 1 }], [[1, 2, 3], [1, 3]], [[1, 2, 3], [3, 1]], [new Set([1, { a: 1 }]), new Set([{ a: 1 }])],
  [new Map([['a', 1], ['b', 2]]), new Map([['b', 2]])], [{ a: { b: { c: 1, d: 2 } } }, { a: { b: { c: 2 } } }],
  [new Error('m', { cause: 1 }), new Error('m')], ['a', 'a'], [Buffer.from('abc'), Buffer.from('ac')],
]) attempt(() => assert.partialDeepStrictEqual(actual, expected));
attempt(() => assert.strictEqual(1, 2, 'number %d is not %s', 1, 'two'));
attempt(() => assert.strictEqual(1, 2, (actual, expected) => `made of ${actual} and ${expected}`));
attempt(() => assert.ok(false, new TypeError('own'), 'more'));
attempt(() => assert.strictEqual(1, 2, 5));
