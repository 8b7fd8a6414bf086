// console.table(): rows, columns, what is in a cell.
const tables = [
  [5], ['str'], [null], [undefined], [() => 1], [Symbol('s')],
  [[]], [{}], [[[]]], [[1, 2, 'a']], [[[1, 2], [3, 4]]], [[{ a: 1, b: 2 }, { a: 3, c: 4 }]], [{ x: { a: 1 }, y: { b: 2 } }], [[{ a: 1, b: 2 }], ['b']], [[{ a: 1 }], []], [[{ a: 1 }], ['nope', 'a']],
  [[1, 'a', { a: 1 }, null, undefined]], [[1, { a: 1 }], ['a']], [{ x: 1, y: 'z' }, ['q']], [new Map([['a', 1], ['b', { x: 1 }]])], [new Map([[{ a: 1 }, { b: 2 }]])], [new Map()], [new Set([1, 'b', { a: 1 }])], [new Set()],
  [new Map([[1, 2]]).entries()], [new Map([[1, 2]]).keys()], [new Map([[1, 2]]).values()], [new Set([1]).values()], [new Set([1]).entries()],
  [[{ a: { b: 1 } }]], [[[1, [2, 3]], { z: { y: 1 } }]], [[{ list: [1, 2, 3, 4, 5], f() {}, d: new Date(0), s: Symbol('q'), e: 'x\ny', o: { a: 1, b: 2, c: 3 }, n: -0 }]],
  [[{ '\u4e2d\u6587': '\u5024', 'e\u0301': '\u{1f600}' }]], [[{ 10: 'ten', 2: 'two', b: 'b' }]], [new Uint8Array([1, 2])], [Object.create({ inherited: 1 })], [[{ get a() { return 1; } }]],
  [[Object.create({ inherited: 1 }), { own: 1 }]], [{ a: 1, b: 'x' }], [[['long'.repeat(30)]]], [[{ __proto__: null, a: 1 }]], [new (class Foo { a = 1; b = { c: 1 }; })()],
];
for (const args of tables) console.table(...args);
for (const bad of ['x', 5, {}, () => {}, null]) {
  try {
    console.table([{ a: 1 }], bad);
    console.log('accepted');
  } catch (error) {
    console.log(error.code, error.message);
  }
}
try {
  console.table(5, 'x');
} catch (error) {
  console.log(error.code, error.message);
}
