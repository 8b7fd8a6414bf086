'use strict';
// Each kind of callback throws; the ticks and microtasks that stand behind it still run.
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
process.on('uncaughtException', (error) => console.log('caught', error.message));
function fail(name) {
  process.nextTick(() => console.log(name, 'tick'));
  Promise.resolve().then(() => console.log(name, 'promise'));
  throw new Error(name);
}
// Later: what the main script leaves behind waits for any callback, and the engine may have one of its own at the start.
setTimeout(() => {
  setImmediate(fail, 'immediate');
  setImmediate(() => {
    console.log('immediate behind');
    setTimeout(fail, 1, 'timer');
    setTimeout(() => console.log('timer behind'), 1);
    sleep(10); // Both fall due before the loop gets to them.
  });
}, 500);
process.nextTick(fail, 'tick');
process.nextTick(() => console.log('tick behind'));
queueMicrotask(() => fail('microtask'));
queueMicrotask(() => console.log('microtask behind'));
fail('main');
