'use strict';
// The context of one callback does not leak into the next, and exceptions are reported in the context that threw them.
const { AsyncLocalStorage } = require('async_hooks');
const { inspect } = require('util');
const storage = new AsyncLocalStorage();
const lines = [];
const show = (label) => lines.push(`${label} ${inspect(storage.getStore())}`);
process.on('exit', () => console.log(lines.sort().join('\n')));
process.on('uncaughtException', (error) => show(`uncaught ${error.message}`));
process.on('unhandledRejection', (error) => show(`unhandled ${error.message}`));

storage.run('a', () => queueMicrotask(() => show('microtask in a')));
queueMicrotask(() => show('microtask'));
Promise.resolve().then(() => show('then'));
storage.run('b', () => process.nextTick(() => show('tick in b')));
process.nextTick(() => show('tick'));

// enterWith ends with the callback it was called in.
const enter = (name) => () => {
  storage.enterWith(name);
  show(`entered ${name}`);
};
queueMicrotask(enter('microtask'));
queueMicrotask(() => show('microtask after'));
Promise.resolve().then(enter('then'));
Promise.resolve().then(() => show('then after'));
process.nextTick(enter('tick'));
process.nextTick(() => show('tick after'));
setTimeout(enter('timeout'), 1);
setTimeout(() => show('timeout after'), 1);
setImmediate(enter('immediate'));
setImmediate(() => show('immediate after'));
(async () => {
  await null;
  storage.enterWith('async function');
  await null;
  show('in the async function');
})();
(async () => {
  await null;
  await null;
  await null;
  show('in another');
})();

storage.run('thrower', () => {
  setTimeout(() => {
    throw new Error('in a timeout');
  }, 2);
  setImmediate(() => {
    throw new Error('in an immediate');
  });
  process.nextTick(() => {
    throw new Error('in a tick');
  });
  Promise.reject(new Error('rejected'));
  (async () => {
    await null;
    throw new Error('rejected later');
  })();
});
setTimeout(() => {
  show('timeout after throwing');
  setImmediate(() => show('immediate after throwing'));
  process.nextTick(() => show('tick after throwing'));
}, 5);
