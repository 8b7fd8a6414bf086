// Arrays: in columns or not, sparse, with extra keys, cut off.
const { inspect } = require('util');

const makers = {
  ints: (i) => i,
  large: (i) => i * 1234567,
  strings: (i) => `item${i}`,
  widths: (i) => 'x'.repeat(i % 13),
  mixed: (i) => (i % 3 ? i : `m${i}`),
  objects: (i) => ({ i }),
  arrays: (i) => [i, i],
  bigints: (i) => BigInt(i) ** 5n,
  wide: (i) => (i % 2 ? '\u4e2d' : '\u{1f600}').repeat(i % 5),
  nothing: (i) => (i % 2 ? undefined : null),
  booleans: (i) => i % 2 === 0,
  floats: (i) => -i / 7,
  functions: (i) => function f() {},
};
const lengths = [0, 1, 6, 7, 8, 16, 26, 27, 101];
const options = [undefined, { colors: true, maxArrayLength: 7 }, { compact: 1, breakLength: 40 }];
for (const option of options) {
  console.log('--', inspect(option));
  for (const [name, make] of Object.entries(makers)) {
    for (const length of lengths) {
      if (option !== undefined && length > 27) continue;
      console.log(name, length, inspect(Array.from({ length }, (_, i) => make(i)), option));
    }
  }
}

const sparse = [1, 2];
sparse[10] = 3;
sparse.foo = 'bar';
sparse[-1] = 'negative';
sparse['1.5'] = 'fraction';
sparse[4294967295] = 'no index';
class Sub extends Array {}
const every = new Array(300);
for (let i = 0; i < 300; i += 2) every[i] = i;
const values = {
  'first hole': [, 1], 'hole': [1, , 3], 'holes': [1, , , 4, , ,], 'only holes': new Array(5), 'one hole': new Array(1), sparse,
  'long and sparse': Object.assign(new Array(200), { 150: 1, z: 2 }), 'every second': every, 'huge': Object.assign([], { 4294967293: 1 }),
  'extra keys': Object.assign([1, 2, 3], { extra: { x: 1 }, [Symbol('z')]: 1 }),
  'extra keys in columns': Object.assign(Array.from({ length: 30 }, (_, i) => i), { other: 'x', extra: 1 }),
  'subclass': Sub.from([1, 2, 3]), 'empty subclass': new Sub(), 'without prototype': Object.setPrototypeOf([1, 2], null),
  'getter': Object.defineProperty([1, 2, 3], 1, { get() { return 5; }, enumerable: true }),
  'hidden key': Object.defineProperty([1, 2, 3], 'hidden', { value: 1 }),
  'nested': [[1, 2, [3, 4, [5, [6]]], { a: { b: { c: {} } } }], 1, []], 'innermost': [1, [2, [3, [4, [5, [6]]]]]],
  'pairs': [['a', 'b'], ['c', 'd']], 'records': [{ a: 1, b: { c: {} } }, { a: 1, b: { c: {} } }],
  'long strings': Array(8).fill('x'.repeat(30)), 'one long': ['a'.repeat(25), ...Array(20).fill('b')],
  'matrix': [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9]]], 'below': { a: Array.from({ length: 30 }, (_, i) => i), b: { c: Array(30).fill('ab') } },
};
const more = [
  undefined, { showHidden: true }, { depth: 0 }, { maxArrayLength: 0 }, { maxArrayLength: 1 }, { maxArrayLength: 3 },
  { maxArrayLength: null }, { maxArrayLength: -1 }, { sorted: true }, { compact: true, breakLength: 30 }, { compact: false },
  { breakLength: Infinity }, { breakLength: 1 }, { getters: true }, { numericSeparator: true },
];
for (const option of more) {
  console.log('--', inspect(option));
  for (const [name, value] of Object.entries(values)) {
    if (option?.maxArrayLength === null && name === 'huge') continue;
    console.log(`${name}: ${inspect(value, option)}`);
  }
}

// Just short of the end of the line, and just beyond.
for (let n = 60; n < 80; n++) {
  console.log(inspect({ k: 'x'.repeat(n) }));
  console.log(inspect(['x'.repeat(n - 30), 'y'.repeat(28)]));
  console.log(inspect({ a: { b: { c: 'x'.repeat(n - 20) } } }));
  console.log(inspect(new Map([['k'.repeat(n - 40), 'v'.repeat(30)]])));
}
