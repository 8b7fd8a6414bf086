'use strict';
// boundedChannel(): the start and the end of an operation; scopes of stores.
const { AsyncLocalStorage } = require('node:async_hooks');
const diagnostics = require('node:diagnostics_channel');

const bounded = diagnostics.boundedChannel('work');
console.log(bounded instanceof diagnostics.BoundedChannel, bounded.start.name, bounded.end.name, bounded.hasSubscribers);
console.log(bounded.run({ id: 0 }, function(a, b) { return [this.x, a, b]; }, { x: 1 }, 2, 3));
const handlers = {
  start: (context, name) => console.log('start', context, name),
  end: (context, name) => console.log('end', context, name),
};
bounded.subscribe(handlers);
console.log(bounded.hasSubscribers, bounded.run({ id: 1 }, () => 'result'));
try {
  bounded.run({ id: 2 }, () => { throw new Error('thrown'); });
} catch (error) {
  console.log(error.message);
}
const storage = new AsyncLocalStorage();
bounded.start.bindStore(storage, ({ id }) => `store ${id}`);
const scope = bounded.withScope({ id: 3 });
console.log(storage.getStore());
scope[Symbol.dispose]();
scope[Symbol.dispose]();
console.log(storage.getStore());
const stores = bounded.start.withStoreScope({ id: 4 });
console.log(storage.getStore());
stores[Symbol.dispose]();
console.log(storage.getStore(), bounded.unsubscribe(handlers), bounded.unsubscribe(handlers));
diagnostics.channel('quiet').withStoreScope({})[Symbol.dispose]();
for (const wrong of [undefined, 1]) {
  try {
    diagnostics.boundedChannel(wrong);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
diagnostics.subscribe('console.log', (args) => process.stdout.write(`args ${args.join()}\n`));
console.log('a', 1);
