'use strict';
// A notification is a task for the loop, from any thread. Those of one turn are delivered in one callback.
const { Worker } = require('worker_threads');
const view = new Int32Array(new SharedArrayBuffer(8));
for (const name of ['a', 'b', 'c']) {
  Atomics.waitAsync(view, 0, 0, 100_000).value.then((outcome) => {
    console.log(name, outcome);
    process.nextTick(() => console.log(name, 'tick'));
  });
}
Atomics.waitAsync(view, 1, 0).value.then((outcome) => console.log('from a worker', outcome));
setTimeout(() => {
  console.log('notified', Atomics.notify(view, 0));
  process.nextTick(() => console.log('tick'));
  setImmediate(() => {
    console.log('immediate');
    new Worker('Atomics.notify(require("worker_threads").workerData, 1)', { eval: true, workerData: view });
  });
}, 1);
