'use strict';
// Functions that remember how they were called.
const { mock } = require('node:test');
function bad(fn) {
  try {
    fn();
  } catch (error) {
    console.log(error.code, error.message);
  }
}
class P { x() { return 'px'; } }
const object = new P();
const method = mock.method(object, 'x', () => 'mocked');
console.log(object.x(), Object.hasOwn(object, 'x'));
method.mock.restore();
console.log(object.x(), method.name, method.length, method.mock === method.mock, Object.keys(method), 'mock' in method);
const f = mock.fn(function named(a, b) { return a + b; });
console.log(f.name, f.length, f(1, 2), f.mock.calls[0].result, f.mock.callCount());
f.mock.mockImplementation((a) => a * 10);
console.log(f(3));
f.mock.mockImplementationOnce(() => 'once');
console.log(f(1), f(1));
f.mock.mockImplementationOnce(() => 'at7', 6);
console.log(f(), f(), f());
bad(() => f.mock.mockImplementationOnce(() => 1, 0));
bad(() => f.mock.mockImplementation(5));
bad(() => f.mock.mockImplementationOnce(5));
f.mock.resetCalls();
console.log(f.mock.callCount());
f.mock.restore();
console.log(f(1, 2));
const thrower = mock.fn(() => { throw new Error('E'); });
try {
  thrower();
} catch (error) {
  console.log(error.message, thrower.mock.calls[0].error === error, thrower.mock.calls[0].result);
}
class K { constructor(a) { this.a = a; } }
const MockK = mock.fn(K);
const k = new MockK(5);
const [call] = MockK.mock.calls;
console.log(k.a, k instanceof K, call.target === K, call.this === k, call.result === k, Object.keys(call), call.stack instanceof Error);
const twice = mock.fn(() => 1, () => 2, { times: 2 });
console.log(twice(), twice(), twice());
const o = { value: 2, get g() { return this.value; }, set g(v) { this.value = v; } };
const getter = mock.getter(o, 'g', () => 99);
console.log(o.g, getter.mock.callCount());
mock.restoreAll();
const setter = mock.setter(o, 'g', (v) => console.log('set', v));
o.g = 5;
console.log(setter.mock.calls[0].arguments, o.g);
mock.reset();
o.g = 7;
console.log(o.g, mock.fn().name, mock.fn({ times: 1 }).name, mock.constructor.name, f.mock.constructor.name);
const self = { n: 1, m() { return this.n; } };
mock.method(self, 'm');
console.log(self.m(), self.m.mock.calls[0].this === self, self.m.mock.calls[0].target);
