// Maps, sets, their iterators, weak collections, typed arrays and buffers.
const { inspect } = require('util');

const key = { k: 1 };
const spent = new Map([[1, 2], [3, 4]]).entries();
spent.next();
class Tagged extends Map { get [Symbol.toStringTag]() { return 'custom'; } }
class Overridden extends Map { *[Symbol.iterator]() { yield ['over', 'ridden']; } }
const selfMap = new Map();
selfMap.set('self', selfMap).set(selfMap, 1);
const selfSet = new Set();
selfSet.add(selfSet).add({ selfSet });
const values = {
  'map': new Map([['a', 1], [key, [1, 2]], [null, undefined]]), 'set': new Set(['a', key, [1]]), 'empty': [new Map(), new Set()],
  'map of maps': new Map([['a', new Map([['b', new Map([['c', new Map([['d', 1]])]])]])]]), 'selfMap': selfMap, 'selfSet': selfSet,
  'with keys': [Object.assign(new Map([[1, 2]]), { extra: true }), Object.assign(new Set([1]), { extra: true })],
  'iterators': [new Map([[1, 2]]).entries(), new Map([[1, 2]]).keys(), new Map([[1, 2]]).values(), new Set([1, 2]).values(), new Set([1, 2]).entries()],
  'spent': spent, 'empty iterator': new Map()[Symbol.iterator](), 'other iterators': [[1][Symbol.iterator](), 'a'[Symbol.iterator](), 'a'.matchAll(/a/g)],
  'iterator with key': Object.assign(new Set([1]).values(), { extra: 1 }),
  'tagged iterator': Object.defineProperty(new Map([[1, 2]]).keys(), Symbol.toStringTag, { value: 'foo', configurable: true }),
  'long map': new Map(Array.from({ length: 120 }, (_, i) => [i, i])), 'long set': new Set(Array.from({ length: 120 }, (_, i) => i)),
  'long iterator': new Map(Array.from({ length: 120 }, (_, i) => [i, i])).entries(),
  'weak': [new WeakMap([[key, 1]]), new WeakSet([key])], 'tagged': new Tagged([[1, 2]]), 'overridden': new Overridden([[1, 2]]),
  'without prototype': [Object.setPrototypeOf(new Map([[1, 2]]), null), Object.setPrototypeOf(new Set(), null), Object.setPrototypeOf(new WeakMap(), null)],
  'buffers': [new Uint8Array([1, 2, 3]).buffer, new ArrayBuffer(0), new DataView(new ArrayBuffer(4), 1, 2), Object.assign(new ArrayBuffer(2), { x: 1 })],
  'long buffer': new ArrayBuffer(120), 'buffers without prototype': [Object.setPrototypeOf(new ArrayBuffer(2), null)],
  'typed subclass': new (class T extends Uint8Array {})(2), 'long typed': new Float64Array(120).map((_, i) => i * 1.5),
};
for (const T of [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array,
                 BigInt64Array, BigUint64Array]) {
  values[T.name] = [new T(3), new T(), Object.assign(new T(1), { x: 1 }), Object.setPrototypeOf(new T(3), null)];
}
const options = [
  undefined, { colors: true }, { showHidden: true }, { depth: 0 }, { depth: -1 }, { depth: null }, { maxArrayLength: 2 }, { compact: true },
  { compact: false }, { compact: 1, breakLength: 30 }, { sorted: true }, { numericSeparator: true },
];
for (const option of options) {
  console.log('--', inspect(option));
  for (const [name, value] of Object.entries(values)) {
    if (option?.maxArrayLength !== undefined && name === 'without prototype') continue;
    console.log(`${name}: ${inspect(value, option)}`);
  }
}
