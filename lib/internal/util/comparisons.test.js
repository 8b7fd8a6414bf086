'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { isDeepEqual, isDeepStrictEqual, isPartialStrictEqual } = require('internal/util/comparisons');

// Values of which no two are deeply and strictly equal.
function samples() {
  const circle = {};
  circle.self = circle;
  const ring = { self: { self: {} } };
  ring.self.self.self = ring.self.self;
  return [
    undefined, null, true, false, 0, -0, 1, NaN, 1n, '', '0', Symbol.iterator, [], [undefined], new Array(1), [1],
    [1, 2],
    {}, { a: undefined }, { a: 1 }, { a: 1, b: 2 }, Object.create(null), new Date(0), new Date(1), new Date(NaN),
    /a/, /a/g, new Error('a'), new Error('b'), new TypeError('a'), new Map(), new Map([[1, 2]]), new Map([[2, 1]]),
    new Map([[{}, 1]]),
    new Set(), new Set([1]), new Set([{}]), new Set([[]]), new Uint8Array(2), new Uint8Array([1, 0]), new Int8Array(2),
    new ArrayBuffer(2),
    new DataView(new ArrayBuffer(2)), Object(1), Object('1'), Object(Symbol.iterator), () => {}, class A {}, circle,
    ring,
    Object.assign([1], { x: 1 }), Object.assign(new Map(), { x: 1 }), { [Symbol.iterator]: 1 }, new WeakMap(),
    new WeakSet(),
    Promise.resolve(), new Proxy({ z: 1 }, {}),
  ];
}

test('each value is equal to itself and to no other', () => {
  const list = samples();
  for (let i = 0; i < list.length; i++) {
    for (let j = 0; j < list.length; j++) {
      assert.strictEqual(isDeepStrictEqual(list[i], list[j]), i === j,
        `${i} ${j}: ${typeof list[i]} ${typeof list[j]}`);
    }
  }
});

test('what is strictly equal is loosely equal and a part', () => {
  const [first, second] = [samples(), samples()];
  for (let i = 0; i < first.length; i++) {
    if (!isDeepStrictEqual(first[i], second[i])) continue;
    assert.ok(isDeepEqual(first[i], second[i]), `${i}`);
    assert.ok(isPartialStrictEqual(first[i], second[i]), `${i}`);
  }
});

test('loose equality forgets types of primitives, prototypes and the sign of 0', () => {
  for (const [a, b] of [[1, '1'], [null, undefined], [0, -0], [NaN, NaN], [[1], ['1']], [new Set([1]), new Set(['1'])],
    [new Map([[1, '2']]), new Map([['1', 2]])], [{}, Object.create(null)]]) {
    assert.ok(isDeepEqual(a, b) && isDeepEqual(b, a));
    assert.strictEqual(isDeepStrictEqual(a, b), Number.isNaN(a));
  }
});

test('members of sets and keys of maps find their partners in any order', () => {
  assert.ok(isDeepStrictEqual(new Set([{ a: 1 }, { b: 2 }, 3]), new Set([3, { b: 2 }, { a: 1 }])));
  assert.ok(!isDeepStrictEqual(new Set([{ a: 1 }, { a: 1 }]), new Set([{ a: 1 }, { b: 2 }])));
  assert.ok(isDeepStrictEqual(new Map([[{ a: 1 }, 1], [{ b: 1 }, 2]]), new Map([[{ b: 1 }, 2], [{ a: 1 }, 1]])));
  assert.ok(!isDeepStrictEqual(new Map([[{ a: 1 }, 1], [{ b: 1 }, 2]]), new Map([[{ b: 1 }, 1], [{ a: 1 }, 2]])));
});

test('cycles end, also of different lengths', () => {
  const make = (length) => {
    const first = {};
    let last = first;
    for (let i = 1; i < length; i++) last = last.next = {};
    last.next = first;
    return first;
  };
  assert.ok(isDeepStrictEqual(make(3), make(3)));
  assert.ok(!isDeepStrictEqual(make(1), { next: { next: 1 } }));
});

test('a part may lack properties, members and elements, but has nothing else', () => {
  assert.ok(isPartialStrictEqual({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3 } }));
  assert.ok(!isPartialStrictEqual({ b: { d: 3 } }, { a: 1 }));
  assert.ok(isPartialStrictEqual([1, 2, 3, 4], [2, 4]));
  assert.ok(!isPartialStrictEqual([1, 2, 3], [3, 2]));
  assert.ok(isPartialStrictEqual(new Set([1, { a: 1 }]), new Set([{ a: 1 }])));
  assert.ok(isPartialStrictEqual(new Map([['a', { b: 1, c: 2 }]]), new Map([['a', { b: 1 }]])));
  assert.ok(!isPartialStrictEqual(new Map([['a', 1]]), new Map([['a', 2]])));
});
