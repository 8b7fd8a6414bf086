'use strict';
// A tick that throws ends the drain: the ticks and microtasks behind it come after the next callback.
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
process.on('uncaughtException', (error) => console.log('caught', error));
setTimeout(() => {
  for (let i = 0; i < 3; i++) {
    process.nextTick(() => {
      console.log('tick', i);
      queueMicrotask(() => console.log('microtask of', i));
      throw `tick ${i}`;
    });
  }
  for (let i = 0; i < 3; i++) {
    queueMicrotask(() => {
      console.log('microtask', i);
      process.nextTick(() => console.log('tick of microtask', i));
      throw `microtask ${i}`;
    });
  }
  setImmediate(() => console.log('immediate'));
}, 20);
for (let i = 2; i < 6; i++) setTimeout(() => console.log('timer', i), 20);
sleep(40);
