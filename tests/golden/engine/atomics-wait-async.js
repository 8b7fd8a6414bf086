'use strict';
// Atomics.waitAsync(): promises that Atomics.notify() or a timeout settles, here and in another thread.
const { Worker } = require('node:worker_threads');

const show = (name, call) => {
  try {
    console.log(name, call());
  } catch (error) {
    console.log(name, error.name, error.message);
  }
};
const cells = new Int32Array(new SharedArrayBuffer(16));
show('not equal', () => Atomics.waitAsync(cells, 0, 1));
show('no time', () => Atomics.waitAsync(cells, 0, 0, 0));
show('pending', () => Atomics.waitAsync(cells, 3, 0));
show('not shared', () => Atomics.waitAsync(new Int32Array(4), 0, 0));
show('not an integer', () => Atomics.waitAsync(new Float64Array(4), 0, 0));
show('out of range', () => Atomics.waitAsync(cells, 9, 0));

async function main() {
  const first = Atomics.waitAsync(cells, 0, 0).value;
  const second = Atomics.waitAsync(cells, 0, 0).value;
  console.log('woken', Atomics.notify(cells, 0, 1), Atomics.notify(cells, 0), Atomics.notify(cells, 0));
  const alive = setTimeout(() => {}, 1e6);
  console.log('notified', await first, await second);

  const start = Date.now();
  console.log('timeout', await Atomics.waitAsync(cells, 0, 0, 20).value, Date.now() - start >= 19);

  const big = new BigInt64Array(new SharedArrayBuffer(16));
  const wait = Atomics.waitAsync(big, 1, 0n, 1e6);
  console.log('bigint', wait.async, Atomics.notify(big, 1), await wait.value);

  const worker = new Worker(`
    const { parentPort, workerData } = require('node:worker_threads');
    const alive = setTimeout(() => {}, 1e6);
    Atomics.waitAsync(workerData, 1, 0).value.then((result) => {
      parentPort.postMessage(['worker', result, Atomics.load(workerData, 1)]);
      Atomics.store(workerData, 2, 7);
      Atomics.notify(workerData, 2);
      clearTimeout(alive);
    });
    parentPort.postMessage(['waits']);`, { eval: true, workerData: cells });
  const answered = Atomics.waitAsync(cells, 2, 0).value;
  const exited = new Promise((resolve) => worker.on('exit', resolve));
  const told = await new Promise((resolve) => worker.once('message', () => {
    Atomics.store(cells, 1, 5);
    // Taken now: the answer may come at any time after this.
    const message = new Promise((report) => worker.once('message', report));
    resolve({ count: Atomics.notify(cells, 1), message });
  }));
  console.log('told', told.count, await told.message);
  console.log('main', await answered, Atomics.load(cells, 2));
  console.log('exit', await exited);
  clearTimeout(alive);
}
main();
