'use strict';
// A signal that is listened to is a resource, made by who listens first; so is an operation on a file that settles a promise.
const { AsyncLocalStorage, createHook, executionAsyncId } = require('node:async_hooks');
const fs = require('node:fs/promises');

const store = new AsyncLocalStorage();
const made = new Map();
createHook({
  init(asyncId, type, triggerId) {
    if (type !== 'SIGNALWRAP' && type !== 'FSREQPROMISE') return;
    made.set(asyncId, type);
    console.log('init', type, triggerId === executionAsyncId());
  },
}).enable();

const forever = setInterval(() => {}, 1000);
store.run('where it was first listened to', () => {
  process.on('SIGUSR2', function heard(name, number) {
    console.log(name, number, store.getStore(), made.get(executionAsyncId()));
    process.off('SIGUSR2', heard);
    clearInterval(forever);
  });
});
store.run('elsewhere', async () => {
  await fs.stat('.');
  console.log('stat', store.getStore());
  process.on('SIGUSR2', () => console.log('second', store.getStore()));
  process.kill(process.pid, 'SIGUSR2');
});
