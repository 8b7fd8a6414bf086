'use strict';
const { isDeepStrictEqual } = require('util');
const assert = require('assert');
const symbol = Symbol('s');
const values = () => [
  0, -0, 1, '1', '', null, undefined, NaN, true, 1n, symbol, {}, [], [1], ['1'], [1, 2], { a: 1 }, { a: '1' }, { a: 1, b: 2 },
  { b: 2, a: 1 }, { [symbol]: 1 }, Object.create(null), [1, , 3], [1, undefined, 3], Object.assign([1, 2], { x: 1 }),
  new Date(0), new Date(NaN), /a/, /a/g, new Error('a'), new TypeError('a'), new Error('a', { cause: 1 }),
  new AggregateError([1], 'a'), new Set(), new Set([1, 2]), new Set([2, 1]), new Set(['1', '2']), new Set([{ a: 1 }, [2]]),
  new Set([[2], { a: 1 }]), new Map([[1, 2]]), new Map([['1', '2']]), new Map([[{ a: 1 }, new Set([1])]]),
  new Map([[null, 1]]), new Map([[undefined, 1]]), new Uint8Array(2), new Int8Array(2), new Float32Array([0]),
  new Float32Array([-0]), new ArrayBuffer(2), new DataView(new ArrayBuffer(2)), Object(1), Object(-0), Object('a'), Object(symbol),
  Object(1n), (function () { return arguments; })(1), new (class Foo { x = 1; })(), { length: 1, 0: 1 },
  Object.defineProperty({}, 'a', { value: 1 }), new WeakMap(), Promise.resolve(1), new Proxy([1], {}), () => {},
];
const first = values();
const second = values();
function loosely(a, b) {
  try {
    assert.deepEqual(a, b);
    return 'l';
  } catch {
    return '.';
  }
}
for (let i = 0; i < first.length; i++) {
  let line = '';
  for (let j = 0; j < second.length; j++) line += isDeepStrictEqual(first[i], second[j]) ? 's' : loosely(first[i], second[j]);
  console.log(line);
}
// Getters run, and what they throw comes through.
const getter = () => ({ get a() { throw new Error('from a getter'); } });
try {
  isDeepStrictEqual(getter(), getter());
} catch (error) {
  console.log(error.message);
}
let nested = 1;
let same = 1;
for (let i = 0; i < 500; i++) {
  nested = [nested];
  same = [same];
}
console.log(isDeepStrictEqual(nested, same), isDeepStrictEqual(nested, [same]));
console.log(isDeepStrictEqual(), isDeepStrictEqual(undefined, null), isDeepStrictEqual.length);
