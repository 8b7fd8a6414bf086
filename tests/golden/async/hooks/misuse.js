'use strict';
const { AsyncLocalStorage, AsyncResource, createHook } = require('async_hooks');

function attempt(name, call) {
  try {
    console.log(name, 'gives', typeof call());
  } catch (error) {
    console.log(name, error.name, error.code, error.code === undefined ? '' : error.message);
  }
}

for (const value of [undefined, null, 1, 'text', Symbol('s'), {}, [], '']) attempt('AsyncResource', () => new AsyncResource(value));
for (const value of [null, 1.5, -2, NaN, 'text', { triggerAsyncId: -2 }, { triggerAsyncId: '1' }, { triggerAsyncId: 1.5 },
  { triggerAsyncId: undefined }, {}, 0, -1]) attempt('options', () => new AsyncResource('x', value));
const resource = new AsyncResource('x');
for (const value of [undefined, null, 1, 'text', {}]) {
  attempt('runInAsyncScope', () => resource.runInAsyncScope(value));
  attempt('bind', () => resource.bind(value));
  attempt('AsyncResource.bind', () => AsyncResource.bind(value));
  attempt('AsyncLocalStorage.bind', () => AsyncLocalStorage.bind(value));
}
for (const name of ['init', 'before', 'after', 'destroy', 'promiseResolve']) {
  for (const value of [null, 1, 'text', {}]) attempt(name, () => createHook({ [name]: value }));
  attempt(name, () => createHook({ [name]: undefined }));
}
attempt('createHook', () => createHook());
attempt('createHook', () => createHook(null));
attempt('createHook', () => createHook(1));
attempt('AsyncResource as a function', () => AsyncResource('x'));
attempt('AsyncLocalStorage as a function', () => AsyncLocalStorage());
const storage = new AsyncLocalStorage();
for (const value of [undefined, null, 1, {}]) {
  attempt('run', () => storage.run(1, value));
  attempt('exit', () => storage.exit(value));
}
console.log(storage.getStore());
storage.disable();
storage.disable();
console.log(storage.getStore());
