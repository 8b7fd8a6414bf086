'use strict';
const { createHook, executionAsyncId, AsyncResource } = require('async_hooks');

// Ids are numbered in the order in which they are first seen, as the runtime makes some of its own.
const names = new Map([[executionAsyncId(), 'main']]);
const wanted = new Set(['Timeout', 'Immediate', 'TickObject', 'Mine', 'Microtask']);
const lines = [];
const hook = createHook({
  init(id, type, trigger, resource) {
    if (!wanted.has(type)) return;
    const count = [...names.values()].filter((name) => name.startsWith(type)).length;
    names.set(id, `${type}${count + 1}`);
    lines.push(`init ${names.get(id)} by ${names.get(trigger)} ${typeof resource}`);
  },
  before(id) {
    if (names.has(id)) lines.push(`before ${names.get(id)} ${id === executionAsyncId()}`);
  },
  after(id) {
    if (names.has(id)) lines.push(`after ${names.get(id)}`);
  },
  destroy(id) {
    if (names.has(id)) lines.push(`destroy ${names.get(id)}`);
  },
});
lines.push(`${hook.enable() === hook} ${hook.enable() === hook}`);

setTimeout(() => {
  setImmediate(() => {});
  process.nextTick(() => {});
}, 20);
clearTimeout(setTimeout(() => {}, 1000));
clearImmediate(setImmediate(() => {}));
const mine = new AsyncResource('Mine', { requireManualDestroy: true });
mine.runInAsyncScope(() => {
  queueMicrotask(() => {});
});
mine.emitDestroy();

setTimeout(() => {
  hook.disable();
  setTimeout(() => {}, 20);
  lines.push('disabled');
}, 60);
process.on('exit', () => console.log(lines.join('\n')));
