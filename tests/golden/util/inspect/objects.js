// Objects by how they came to be: classes, prototypes, tags, hidden and inherited properties, accessors.
const { inspect } = require('util');

class Foo { constructor() { this.a = 1; } }
class Bar extends Foo { x = 1; #secret = 2; }
class Tagged { get [Symbol.toStringTag]() { return 'tag'; } }
class SameTag { get [Symbol.toStringTag]() { return 'SameTag'; } }
class EmptyTag { get [Symbol.toStringTag]() { return ''; } }
class Rich { constructor() { this.own = 1; } get g() { return this.own; } set s(v) {} m() {} }
Rich.prototype.data = 5;
class Richer extends Rich {}
Richer.prototype.more = { z: 1 };
function WithoutPrototype() {}
WithoutPrototype.prototype = Object.create(null);
function PlainPrototype() {}
PlainPrototype.prototype = { inherited: 1 };

const values = {
  'empty': {},
  'flat': { a: 1, b: 'x', c: [1, 2, { d: 3 }] },
  'four deep': { a: { b: { c: { d: 1 } } } },
  'null prototype': Object.create(null),
  'null prototype with keys': { __proto__: null, a: 1, b: { __proto__: null } },
  'from object': Object.create({ a: 1 }),
  'from null object': Object.create(Object.create(null)),
  'from null object twice': Object.create(Object.create(Object.create(null))),
  'class': new Foo(),
  'subclass': new Bar(),
  'anonymous class': new (class {})(),
  'anonymous subclass': new (class extends Foo {})(),
  'tagged': new Tagged(),
  'tag like name': new SameTag(),
  'empty tag': new EmptyTag(),
  'own tag': { [Symbol.toStringTag]: 'Tag', a: 1 },
  'own tag that is no string': { [Symbol.toStringTag]: 5 },
  'hidden own tag': Object.defineProperty({ a: 1 }, Symbol.toStringTag, { value: 'Hidden' }),
  'lost prototype': Object.setPrototypeOf(new Foo(), null),
  'constructor without prototype': new WithoutPrototype(),
  'constructor with plain prototype': new PlainPrototype(),
  'own constructor': { constructor: 'x', a: 1 },
  'own constructor that is a class': { constructor: class Q {} },
  'prototype of a class': Bar.prototype,
  'inherited data': new Richer(),
  'inherited symbols': Object.create({ inherited: 1, [Symbol('q')]: 2 }, { own: { value: 1, enumerable: true } }),
  'accessors': { get a() { return 1; }, set a(v) {}, get b() { return { x: 1 }; }, set c(v) {} },
  'getters of all kinds': {
    get bad() { throw Object.assign(new Error('oops'), { stack: 'Error: oops' }); }, get nul() { return null; }, get s() { return 'str'; }, get u() {},
    get f() { return function q() {}; }, get arr() { return [1, 2, { a: { b: 1 } }]; }, get self() { return this; },
  },
  'hidden': Object.defineProperties({}, { h: { get() { return 1; } }, i: { value: 2 }, j: { set(v) {} } }),
  'frozen': Object.freeze({ a: 1 }),
  'methods': { m() {}, async am() {}, *gm() {}, async *agm() {}, class() {}, ['x y']() {}, arrow: () => {} },
  'arguments': (function() { return arguments; })(1, 'a', {}),
  'no arguments': (function() { return arguments; })(),
  'generator': (function* g() { yield 1; })(),
  'async generator': (async function* g() { yield 1; })(),
  'namespaces': [Math, JSON, Reflect],
  'prototypes': [Map.prototype, Date.prototype, RegExp.prototype, Array.prototype, Object.prototype, Function.prototype],
  'boxed': [new Number(3), new Number(-0), new String('str'), new Boolean(false), Object(10n), Object(Symbol('b'))],
  'boxed with keys': [Object.assign(new String('ab'), { x: 1 }), Object.assign(new Number(1), { y: 2 })],
  'boxed subclass': new (class S extends String {})('sub'),
  'boxed without prototype': Object.setPrototypeOf(new Number(1), null),
  'date': [new Date(0), new Date(NaN), Object.assign(new Date(0), { x: 1 })],
  'date subclass': new (class D extends Date {})(0),
  'date without prototype': Object.setPrototypeOf(new Date(0), null),
  'regexp': [/a\/b/gi, Object.assign(/x/, { a: 1 }), new RegExp(''), new RegExp('\n')],
  'regexp subclass': new (class R extends RegExp {})('q', 'g'),
  'regexp without prototype': Object.setPrototypeOf(/n/g, null),
  'weak': [new WeakMap(), new WeakSet(), new WeakRef({}), new FinalizationRegistry(() => {})],
  'undefined everywhere': [undefined, null, [undefined], { a: undefined }],
};
const options = [
  undefined, { colors: true }, { depth: 0 }, { depth: -1 }, { depth: null }, { showHidden: true }, { showHidden: true, colors: true },
  { getters: true }, { getters: 'get' }, { getters: 'set', colors: true }, { sorted: true }, { sorted: (a, b) => (a < b ? 1 : -1) },
  { compact: true }, { compact: false }, { compact: 1, breakLength: 40 },
];
// V8's own additions to the language differ between engines; they are not what is tested here.
const differsByEngine = new Set(['namespaces', 'prototypes']);
for (const option of options) {
  console.log('--', inspect(option));
  for (const [name, value] of Object.entries(values)) {
    if (option?.showHidden && differsByEngine.has(name)) continue;
    console.log(`${name}: ${inspect(value, option)}`);
  }
}
