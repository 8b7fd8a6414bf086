'use strict';
// Promises of contexts: shared and own microtask queues, async hooks, rejections.
const vm = require('vm');
const { AsyncLocalStorage, createHook } = require('async_hooks');

const log = (text) => console.log(text);
const shared = vm.createContext({ log });
const own = vm.createContext({ log }, { microtaskMode: 'afterEvaluate' });
Promise.resolve().then(() => log('main 1')).then(() => log('main 2'));
vm.runInContext('Promise.resolve().then(() => log("shared 1")).then(() => log("shared 2")); log("shared sync")', shared);
vm.runInContext('Promise.resolve().then(() => log("own 1")).then(() => log("own 2")); log("own sync")', own);
log('after both');
vm.runInContext('(async () => { await null; log("own async 1"); await null; log("own async 2") })()', own);
process.nextTick(() => log('tick'));

// A promise of the context with its own queue: its handlers run in that queue.
const promise = vm.runInContext('Promise.resolve("value")', own);
promise.then((value) => log(`own then: ${value}`));
log('own then waits');
vm.runInContext('log("next evaluation")', own);

setImmediate(async () => {
  const storage = new AsyncLocalStorage();
  await storage.run('stored', async () => {
    const read = () => storage.getStore();
    log(await vm.runInNewContext('(async () => { await null; return read() })()', { read }));
  });

  let count = 0;
  const hook = createHook({ init(id, type) { if (type === 'PROMISE') count++; } }).enable();
  vm.runInContext('Promise.resolve(1)', shared);
  vm.runInNewContext('new Promise(() => {})');
  hook.disable();
  vm.runInContext('Promise.resolve(2)', shared);
  log(`promises of contexts: ${count}`);

  process.on('unhandledRejection', (reason, rejected) => {
    log(`unhandled ${reason.message} ${reason instanceof Error} ${rejected instanceof Promise}`);
  });
  vm.runInContext('Promise.reject(new Error("shared"))', shared);
  vm.runInContext('Promise.reject(new Error("own"))', own);
  vm.runInContext('Promise.reject(new Error("handled")).catch(() => log("caught"))', own);
});
