'use strict';
// Shared memory and waiting, in both directions; the main thread may wait, too.
const { Worker } = require('worker_threads');
const shared = new Int32Array(new SharedArrayBuffer(16));
const worker = new Worker(`
  const { workerData: shared } = require('worker_threads');
  Atomics.wait(shared, 0, 0);
  for (let i = 0; i < 1000; i++) Atomics.add(shared, 1, 1);
  Atomics.store(shared, 2, 1);
  Atomics.notify(shared, 2);
`, { eval: true, workerData: shared });
worker.on('online', () => console.log('online'));
worker.on('exit', (code) => console.log('exit', code, shared[1]));
Atomics.store(shared, 0, 1);
Atomics.notify(shared, 0);
for (let i = 0; i < 1000; i++) Atomics.add(shared, 1, 1);
console.log(['ok', 'not-equal'].includes(Atomics.wait(shared, 2, 0)), shared[1]);
console.log(Atomics.wait(shared, 3, 0, 1), Atomics.wait(shared, 3, 5));
