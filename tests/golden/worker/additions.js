'use strict';
// Smaller parts of worker_threads: names of threads, CPU time, heap statistics, disposal, marks.
const {
  Worker, isInternalThread, isMarkedAsUntransferable, markAsUntransferable, threadName,
} = require('node:worker_threads');

console.log([threadName], isInternalThread);
const buffer = new ArrayBuffer(4);
console.log(isMarkedAsUntransferable(buffer), isMarkedAsUntransferable(1), isMarkedAsUntransferable(null));
markAsUntransferable(buffer);
console.log(isMarkedAsUntransferable(buffer));

(async () => {
  const code = 'const { parentPort, threadName } = require("node:worker_threads");' +
    'parentPort.on("message", () => {}); parentPort.postMessage([threadName]);';
  const first = (emitter, event) => new Promise((resolve) => emitter.once(event, resolve));
  const worker = new Worker(code, { eval: true, name: 'a name' });
  console.log(worker.threadName);
  await worker.cpuUsage().catch((error) => console.log('early', error.code));
  for (const wrong of [1, { user: 'x', system: 0 }, { user: 0, system: -1 }]) {
    try {
      worker.cpuUsage(wrong);
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
  console.log(await first(worker, 'message'));
  const usage = await worker.cpuUsage();
  const since = await worker.cpuUsage(usage);
  console.log(Object.keys(usage), usage.user + usage.system > 0, since.user >= 0 && since.system >= 0);
  console.log((await worker.getHeapStatistics()).total_heap_size > 0);
  await worker[Symbol.asyncDispose]();
  console.log(worker.threadName, worker.threadId);
  await worker.cpuUsage().catch((error) => console.log('late', error.code));
  await worker.getHeapStatistics().catch((error) => console.log('late', error.code));
  const unnamed = new Worker(code, { eval: true });
  console.log(await first(unnamed, 'message'));
  await unnamed.terminate();
  console.log(await first(new Worker('throw Symbol.for("registered")', { eval: true }), 'error'));
  for (const wrong of ['data:text/javascript,1', 'file:///x.js', 'x.js']) {
    try {
      new Worker(wrong);
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
})();

const { markAsUncloneable } = require('node:worker_threads');
const marked = { a: 1 };
markAsUncloneable(marked);
markAsUncloneable(1);
for (const value of [marked, { inside: [marked] }, { a: 1 }, Object.create(marked), new ArrayBuffer(2)]) {
  try {
    console.log(structuredClone(value) !== value);
  } catch (error) {
    console.log(error.name, error.code);
  }
}
