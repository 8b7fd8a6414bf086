'use strict';
// A timer that refresh() starts again while it is there keeps its context; one that ran takes the current one.
const { AsyncLocalStorage } = require('async_hooks');
const storage = new AsyncLocalStorage();
let count = 0;
const timer = storage.run('made', () => setTimeout(() => {
  console.log(storage.getStore());
  if (count++ === 0) storage.run('in its callback', () => timer.refresh());
}, 5));
setTimeout(() => storage.run('afterwards', () => timer.refresh()), 500);
