'use strict';
const { createHook, executionAsyncId } = require('async_hooks');

const ids = new Map();
const lines = [];
const hook = createHook({
  init(id, type, trigger, promise) {
    if (type !== 'PROMISE') return;
    ids.set(id, `P${ids.size + 1}`);
    lines.push(`init ${ids.get(id)} by ${ids.get(trigger) ?? 'other'} ${promise instanceof Promise}`);
  },
  before(id) {
    if (ids.has(id)) lines.push(`before ${ids.get(id)} ${executionAsyncId() === id}`);
  },
  after(id) {
    if (ids.has(id)) lines.push(`after ${ids.get(id)}`);
  },
  promiseResolve(id) {
    if (ids.has(id)) lines.push(`resolve ${ids.get(id)}`);
  },
}).enable();
new Promise((resolve) => resolve(1)).then(() => 2).then(() => {});
(async () => {
  await 1;
})();
setTimeout(() => hook.disable(), 5);
process.on('exit', () => console.log(lines.join('\n')));
