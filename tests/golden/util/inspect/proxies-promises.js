// State that only the engine can see: proxies without their traps, the state of promises.
const { inspect, format } = require('util');

const loud = {};
for (const trap of Object.getOwnPropertyNames(Reflect)) loud[trap] = () => { throw new Error(`trap ${trap}`); };
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
const rejected = Promise.reject(3);
rejected.catch(() => {});
class MyPromise extends Promise {}
const values = {
  'object': new Proxy({ a: 1 }, {}), 'array': new Proxy([1, 2], {}), 'function': new Proxy(function f() {}, {}), 'class': new Proxy(class A {}, {}),
  'traps': new Proxy({ a: 1, b: [2] }, loud), 'twice': new Proxy(new Proxy({ x: 1 }, {}), {}), 'map': new Proxy(new Map([[1, 2]]), {}), revoked,
  'below': { p: new Proxy({ deep: { er: { x: 1 } } }, {}) }, 'in an array': [new Proxy({}, {}), { a: new Proxy({ a: { b: { c: { d: 1 } } } }, {}) }],
  'custom': new Proxy({ [inspect.custom]() { return 'custom'; } }, {}), 'date': new Proxy(new Date(0), {}), 'error': new Proxy(Object.assign(new Error('e'), { stack: 's' }), {}),
  'fulfilled': Promise.resolve(5), 'pending': new Promise(() => {}), rejected, 'deep': Promise.resolve({ a: { b: { c: { d: 1 } } } }),
  'with key': Object.assign(Promise.resolve(1), { x: 1 }), 'subclass': MyPromise.resolve(1), 'long': Promise.resolve('x'.repeat(100)),
  'without prototype': Object.setPrototypeOf(Promise.resolve(1), null), 'promise of a promise': Promise.resolve([Promise.resolve(1)]),
};
for (const option of [undefined, { showProxy: true }, { showProxy: true, depth: 0 }, { showProxy: 1, colors: true, depth: 4 }, { depth: -1 }, { compact: false, showProxy: true }, { colors: true }]) {
  console.log('--', inspect(option));
  for (const [name, value] of Object.entries(values)) console.log(`${name}: ${inspect(value, option)}`);
}
for (const [name, value] of Object.entries(values)) console.log(name, format('%s|%o|%O|%j', name, name, name, name), format('%s', value), format('%O', value));
