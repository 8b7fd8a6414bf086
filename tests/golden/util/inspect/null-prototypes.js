// Objects of every kind whose prototype was taken away, and objects that inherit from them.
const { inspect } = require('util');

const values = [
  {}, [], new Map(), new Set(), new WeakMap(), new WeakRef({}), new Date(0), /x/, new Error('x'), Promise.resolve(), (function*() {})(), (async function*() {})(),
  (function() { return arguments; })(), new Number(1), new Uint8Array(1), new ArrayBuffer(1), new DataView(new ArrayBuffer(1)), new Map().keys(), [].values(), 'a'[Symbol.iterator](),
  'a'.matchAll(/a/g), new (class Foo {})(), new (class extends Array {})(), Math, JSON, Reflect, new FinalizationRegistry(() => {}), new SharedArrayBuffer(1), function f() {}, class K {},
  Object.create(Map.prototype), new (function Old() { this.a = 1; })(),
];
const firstLine = (text) => text.split('\n')[0];
for (const value of values) {
  const tag = Object.prototype.toString.call(value);
  Object.setPrototypeOf(value, null);
  console.log(tag, firstLine(inspect(value)), firstLine(inspect(value, { depth: -1 })), firstLine(inspect([value], { depth: 0 })));
  const heir = Object.create(value);
  console.log('   ', firstLine(inspect(heir)), firstLine(inspect(heir, { depth: -1 })));
}
