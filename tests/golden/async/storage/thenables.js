'use strict';
// then() of objects that are not promises runs in the context of who awaits them.
const { AsyncLocalStorage, createHook } = require('async_hooks');
const storage = new AsyncLocalStorage();
const log = (label) => console.log(label, storage.getStore());

class Query {
  then(resolve, reject) {
    log('then');
    return new Promise((done) => setTimeout(() => {
      log('timer');
      done('rows');
    }, 1)).then(resolve, reject);
  }
}
class Later extends Promise {
  then(...args) {
    log('subclass');
    return super.then(...args);
  }
}

async function use(label) {
  console.log(label, await new Query());
  log('awaited');
  console.log(await Promise.resolve(new Query()));
  await Promise.all([new Query(), new Query()]);
  log('all');
  await Later.resolve(1);
  log('after the subclass');
  await { then: (resolve) => queueMicrotask(() => { log('microtask'); resolve(); }) };
  log('end');
}
(async () => {
  await storage.run('one', use, 'first');
  await use('outside');
  await Promise.all([storage.run('a', async () => {
    await new Query();
    log('of a');
  }), storage.run('b', async () => {
    await new Query();
    log('of b');
  })]);
  queueMicrotask(() => log('nothing is left'));
  // With hooks at the same time.
  const hook = createHook({ init() {}, before() {}, after() {} }).enable();
  await storage.run('hooked', use, 'second');
  hook.disable();
  await storage.run('unhooked', use, 'third');
  log('over');
})();
