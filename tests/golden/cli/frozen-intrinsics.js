'use strict';
// --frozen-intrinsics: the objects of the language are frozen, and programs can still override inherited properties.
const { inspect } = require('util');
process.on('warning', (warning) => console.log('warning', warning.message));

function attempt(label, call) {
  try {
    console.log(label, inspect(call()));
  } catch (error) {
    console.log(label, error.name, error.message);
  }
}

attempt('static', () => { Object.defineProperty = 1; });
attempt('prototype', () => { Array.prototype.map = 1; });
attempt('new property', () => { Array.prototype.added = 1; });
attempt('delete', () => delete Map.prototype.get);
attempt('console', () => { console.log = 1; });
attempt('globalThis', () => { globalThis.globalThis = 1; });
attempt('timers', () => { setTimeout.x = 1; });
attempt('Math', () => { Math.PI = 3; });
attempt('symbol', () => { Array.prototype[Symbol.iterator] = 1; });
attempt('iterator', () => { Object.getPrototypeOf([][Symbol.iterator]()).next = 1; });
attempt('generator', () => { Object.getPrototypeOf(function* () {}).x = 1; });
attempt('async generator', () => { Object.getPrototypeOf(async function* () {}).prototype.next = 1; });
attempt('typed array', () => { Object.getPrototypeOf(Uint8Array.prototype).fill = 1; });
attempt('Intl', () => { Intl.NumberFormat.prototype.format = 1; });
attempt('WebAssembly', () => { WebAssembly.Memory = 1; });
attempt('global', () => { globalThis.added = 1; return added; });
attempt('replaced', () => { globalThis.Array = class Mine {}; return Array.name; });
for (const value of [Object, Function.prototype, Promise, Reflect, JSON, console, Symbol, Iterator, WeakRef, Temporal]) {
  console.log(Object.isFrozen(value));
}

const object = {};
object.toString = () => 'own';
console.log(`${object}`, Object.getOwnPropertyDescriptor(object, 'toString'));
class Base extends Error {
  constructor() {
    super('message');
    this.name = 'Changed';
    this.constructor = 1;
  }
}
console.log(String(new Base()), Object.keys(new Base()));
class List extends Map {}
List.prototype.get = () => 'overridden';
console.log(new List().get(1), new Map([[1, 2]]).get(1));
setTimeout(() => Promise.resolve('works').then(console.log), 1);
console.log([1, 2, 3].map((x) => x + 1), inspect(new Map([[1, { a: 2 }]])), /a(b)/.exec('ab')[1]);
require('fs').promises.readFile(__filename).then((bytes) => console.log(bytes.length > 0));
