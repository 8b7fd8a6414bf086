'use strict';
// AsyncLocalStorage: a default value, a name, scopes that are disposed of, and disable().
const { AsyncLocalStorage } = require('node:async_hooks');

const named = new AsyncLocalStorage({ name: 'requests', defaultValue: 'none' });
console.log(named.name, named.getStore(), new AsyncLocalStorage().name === '', new AsyncLocalStorage({ name: 1 }).name);
named.run('one', () => {
  console.log(named.getStore());
  named.exit(() => console.log(named.getStore()));
  named.run(undefined, () => console.log(named.getStore()));
});
console.log(named.getStore());
for (const wrong of [1, null, 'x']) {
  try {
    new AsyncLocalStorage(wrong);
  } catch (error) {
    console.log(error.code, error.message);
  }
}

const outer = named.withScope('outer');
const inner = named.withScope('inner');
console.log(named.getStore());
Promise.resolve().then(() => console.log('then', named.getStore()));
inner[Symbol.dispose]();
console.log(named.getStore());
inner.dispose();
outer.dispose();
outer.dispose();
console.log(named.getStore());

named.enterWith('entered');
named.disable();
console.log(named.getStore());
named.run('again', () => console.log(named.getStore()));
console.log(Object.getOwnPropertyNames(AsyncLocalStorage.prototype).join(), Object.keys(named));
