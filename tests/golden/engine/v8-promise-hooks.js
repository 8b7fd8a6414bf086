'use strict';
// v8.promiseHooks: events of promises, their order, and removed hooks.
const v8 = require('v8');
const { AsyncLocalStorage, createHook } = require('async_hooks');

const { promiseHooks } = v8;
console.log(Object.keys(promiseHooks));

for (const name of ['onInit', 'onBefore', 'onAfter', 'onSettled']) {
  for (const bad of [undefined, null, 1, 'f', {}, async () => {}, async function* () {}]) {
    try {
      promiseHooks[name](bad);
      console.log(name, 'took it');
    } catch (error) {
      console.log(name, error.code, error.message);
    }
  }
}
for (const key of ['init', 'before', 'after', 'settled']) {
  try {
    promiseHooks.createHook({ [key]: 1 });
  } catch (error) {
    console.log(error.code, error.message);
  }
}

const names = new Map();
let log = [];
const nameOf = (promise) => {
  if (promise === undefined) return '-';
  if (!names.has(promise)) names.set(promise, `p${names.size}`);
  return names.get(promise);
};
const stop = promiseHooks.createHook({
  init(promise, parent) { log.push(`init ${nameOf(promise)} of ${nameOf(parent)}`); },
  before(promise) { log.push(`before ${nameOf(promise)}`); },
  after(promise) { log.push(`after ${nameOf(promise)}`); },
  settled(promise) { log.push(`settled ${nameOf(promise)}`); },
});
const first = Promise.resolve(1);
first.then(() => { log.push('in then'); });
(async () => {
  await first;
  log.push('in async');
  await null;
})();
Promise.reject(new Error('no')).catch(() => { log.push('in catch'); });

setImmediate(() => {
  stop();
  stop(); // Once is enough, and twice does no harm.
  Promise.resolve().then(() => {});
  console.log(log.join('\n'));
  log = [];

  // The same function twice, of which one is stopped.
  let calls = 0;
  const count = () => { calls++; };
  const stopFirst = promiseHooks.onInit(count);
  const stopSecond = promiseHooks.onInit(count);
  Promise.resolve();
  stopFirst();
  Promise.resolve();
  stopSecond();
  Promise.resolve();
  console.log({ calls });
  setImmediate(together);
});

// Beside async_hooks and AsyncLocalStorage.
function together() {
  const seen = { init: 0, hook: 0 };
  const hook = createHook({ init(id, type) { if (type === 'PROMISE') seen.hook++; } }).enable();
  const stopInit = promiseHooks.onInit(() => { seen.init++; });
  const storage = new AsyncLocalStorage();
  storage.run('stored', async () => {
    await { then(resolve) { resolve(storage.getStore()); } };
    const store = storage.getStore();
    stopInit();
    await null;
    hook.disable();
    console.log(store, seen.init > 0, seen.hook > seen.init);
    exceptions();
  });
}

// Only the process can catch exceptions of hooks.
function exceptions() {
  process.on('uncaughtException', (error, origin) => { console.log(origin, error.message); });
  for (const name of ['onInit', 'onSettled', 'onBefore', 'onAfter']) {
    const stopThis = promiseHooks[name](() => {
      stopThis();
      throw new Error(`in ${name}`);
    });
  }
  Promise.resolve().then(() => { console.log('then'); });
}
