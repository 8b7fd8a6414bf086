'use strict';
// Ticks of an immediate that threw, and of the capture callback, come after the next immediate.
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
process.setUncaughtExceptionCaptureCallback((error) => {
  console.log('captured', error);
  process.nextTick(() => console.log('tick of the capture callback'));
});
setImmediate(() => {
  process.nextTick(() => console.log('tick'));
  setImmediate(() => console.log('immediate'));
  throw 1;
});
setTimeout(() => console.log('timer'), 1);
sleep(10);
