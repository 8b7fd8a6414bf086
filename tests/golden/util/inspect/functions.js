// inspect() of functions and classes.
const { inspect } = require('util');

function mixin() { return Object; }
const list = [
  function() {}, function named() {}, () => {}, async () => {}, async function af() {}, function* gen() {}, async function* ag() {},
  class {}, class A {}, class B extends Map {}, class extends (class C {}) {}, class D extends null {}, class E extends mixin() {},
  class F extends (Object) {}, class /* ( */ G {}, class // c
  H {}, { class() {} }.class, { classy() {} }.classy, { get x() { return 1; } },
  Object.assign(function f() {}, { a: 1 }), Object.assign(class I { static s = 1; static m() {} }, { a: 1 }),
  Object.setPrototypeOf(function f() {}, null), Object.setPrototypeOf(class J {}, null), Object.setPrototypeOf(async () => {}, null),
  Object.setPrototypeOf(function f() {}, class X {}.prototype), Object.setPrototypeOf(async () => {}, Function.prototype),
  Object.defineProperty(() => {}, Symbol.toStringTag, { value: 'T' }), Math.max, Function.prototype, (() => {}).bind(), Symbol, Map, Proxy,
  class { static name = 5; }, class K { static [Symbol.toStringTag] = 'q'; }, class L { static get [Symbol.toStringTag]() { return 'z'; } },
  (() => { class M {} delete M.name; return M; })(), (() => { function f() {} delete f.name; return f; })(),
  Object.defineProperty(function f() {}, 'name', { value: '' }), Object.defineProperty(function f() {}, 'name', { value: 5 }),
  Object.defineProperty(function f() {}, 'name', { value: 'two words' }),
];
for (const option of [undefined, { colors: true }, { depth: -1 }, { compact: false }]) {
  console.log('--', inspect(option));
  for (const fn of list) console.log(inspect(fn, option));
  console.log(inspect(list, option));
}
console.log(inspect(class N { static a = 1; constructor(x) {} }, { showHidden: true }));
console.log(inspect(function(a, b) {}, { showHidden: true }));
const self = function self() {};
self.self = self;
console.log(inspect(self));
