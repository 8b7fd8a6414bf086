// async_hooks of ports and workers: the resource is the port itself, and both report whether they keep the loop alive.
'use strict';
const { createHook } = require('async_hooks');
const { inspect } = require('util');
const { MessageChannel, Worker } = require('worker_threads');

const live = new Map();
const hook = createHook({
  init(asyncId, type, triggerAsyncId, resource) {
    if (type !== 'MESSAGEPORT' && type !== 'WORKER') return;
    live.set(asyncId, { type, resource });
    if (type === 'MESSAGEPORT' && live.size <= 2) console.log('init', inspect(resource));
  },
  destroy(asyncId) {
    if (live.delete(asyncId)) console.log('destroy');
  },
}).enable();

const refed = () => [...live.values()].filter(({ resource }) => resource.hasRef() === true).map(({ type }) => type);

const { port1, port2 } = new MessageChannel();
console.log([...live.values()].map(({ resource }) => resource === port1 || resource === port2));
console.log(port1.hasRef(), refed());
port1.on('message', () => {});
port2.ref();
console.log(refed());
port2.close();
console.log('closing', port1.hasRef(), port2.hasRef());
port1.on('close', () => {
  console.log('closed', port1.hasRef(), port2.hasRef());
  setImmediate(setImmediate, workers); // Hooks are called for the end of both ports in the check phase.
});

function workers() {
  const worker = new Worker('', { eval: true });
  const { resource } = [...live.values()].find(({ type }) => type === 'WORKER');
  console.log(refed(), resource.hasRef());
  worker.unref();
  console.log(refed(), resource.hasRef());
  worker.ref();
  console.log(refed(), resource.hasRef());
  hook.disable();
  worker.on('exit', () => {
    console.log(refed(), resource.hasRef());
    setTimeout(() => console.log(resource.hasRef()), 0);
  });
}
