// The time of a worker begins with the process; `Performance` is a global.
'use strict';
const { Worker } = require('worker_threads');

console.log(performance instanceof Performance, Object.getOwnPropertyDescriptor(globalThis, 'Performance').enumerable);
for (const size of [1n, Symbol('s')]) {
  try {
    performance.setResourceTimingBufferSize(size);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
const started = performance.now();
const worker = new Worker(`
  const { nodeTiming, timeOrigin } = performance;
  const { nodeStart, v8Start, environment, bootstrapComplete } = nodeTiming;
  require('worker_threads').parentPort.postMessage(
    { timeOrigin, nodeStart, v8Start, environment, bootstrapComplete, now: performance.now(), uptime: process.uptime() });
`, { eval: true });
worker.on('message', ({ timeOrigin, nodeStart, v8Start, environment, bootstrapComplete, now, uptime }) => {
  console.log(timeOrigin === performance.timeOrigin);
  console.log(nodeStart === performance.nodeTiming.nodeStart, v8Start === performance.nodeTiming.v8Start);
  console.log(environment >= started, bootstrapComplete >= environment, now >= bootstrapComplete, now <= performance.now());
  console.log(uptime * 1000 >= started, uptime <= process.uptime());
  const { idle, active, utilization } = worker.performance.eventLoopUtilization();
  console.log(idle >= 0, active >= 0 && active < performance.now(), utilization >= 0 && utilization <= 1);
});
