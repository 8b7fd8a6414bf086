'use strict';
const { AsyncLocalStorage, AsyncResource } = require('node:async_hooks');
const { inspect } = require('util');
// Timers and immediates race: the lines are sorted, as only what they say matters.
const lines = [];
const log = (...args) => lines.push(args.map((arg) => (typeof arg === 'string' ? arg : inspect(arg))).join(' '));
process.on('exit', () => console.log(lines.sort().join('\n')));
const storage = new AsyncLocalStorage();
const other = new AsyncLocalStorage();
const show = (label) => log(label, storage.getStore(), other.getStore());

show('outside');
const result = storage.run('a', (x, y) => {
  show('run');
  return [x, y];
}, 1, 2);
log(result);

storage.run('outer', () => {
  other.run('other', () => {
    storage.run('inner', () => show('nested'));
    show('back');
    storage.exit(() => {
      show('exited');
      setImmediate(() => show('immediate of exited'));
    });
    show('after exit');
  });
  show('other gone');
});

// It follows timers, immediates, ticks, microtasks and promises.
storage.run('follows', () => {
  setTimeout(() => show('timeout'), 1);
  const interval = setInterval(() => {
    show('interval');
    clearInterval(interval);
  }, 1);
  setImmediate((arg) => show(arg), 'immediate');
  process.nextTick((arg) => show(arg), 'tick');
  queueMicrotask(() => show('microtask'));
  Promise.resolve().then(() => show('then'));
  Promise.reject(new Error()).catch(() => show('catch')).finally(() => show('finally'));
  (async () => {
    await null;
    show('await');
    await new Promise((resolve) => setTimeout(resolve, 2));
    show('await of a timeout');
    for await (const x of (async function* () {
      show('generator');
      yield 1;
    })()) show('for await');
  })();
});
show('after run');

// A reaction belongs to who attached it, not to who resolves.
let resolveLater;
const promise = new Promise((resolve) => {
  resolveLater = resolve;
});
storage.run('attached', () => promise.then(() => show('attached')));
storage.run('resolves', () => resolveLater());

// The context is restored after an exception.
try {
  storage.run('thrown', () => {
    throw new Error('x');
  });
} catch {
  show('caught');
}

// Bound functions and snapshots.
const bound = storage.run('bound', () => AsyncLocalStorage.bind((a, b) => {
  show('bound');
  return a + b;
}));
log(bound(1, 2), bound.length);
const snapshot = storage.run('snapshot', () => other.run('too', () => AsyncLocalStorage.snapshot()));
storage.run('elsewhere', () => log(snapshot((...args) => {
  show('snapshot');
  return args;
}, 1, 2)));
const resource = storage.run('resource', () => new AsyncResource('Mine'));
resource.runInAsyncScope(() => show('resource'));
show('after resource');

// Stores of every kind.
for (const store of [undefined, null, 0, '', NaN, false, Symbol('s')]) {
  storage.run('under', () => storage.run(store, () => log(Object.is(storage.getStore(), store))));
}

// The rest one after the other, as it changes the storage.
const pause = () => new Promise((resolve) => setTimeout(setImmediate, 5, resolve));
(async () => {
  await pause();
  // enterWith lasts for the rest of the callback and what it starts.
  await new Promise((resolve) => setTimeout(() => {
    storage.enterWith('entered');
    show('entered');
    setImmediate(() => show('from entered'));
    Promise.resolve().then(() => {
      show('then of entered');
      storage.enterWith('changed');
      show('changed');
    }).then(() => show('next then'));
    resolve();
  }, 1));
  show('who awaited it');
  await pause();
  storage.run('disabled', () => {
    storage.disable();
    show('disabled');
    setImmediate(() => show('still disabled'));
  });
  await pause();
  storage.run('enabled again', () => show('enabled'));
})();
