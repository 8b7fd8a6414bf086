'use strict';
// The timer without a ref falls due while the last timer with one runs: the loop ends before the next timers phase.
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
setTimeout(() => {
  console.log('last');
  sleep(500);
}, 300);
setTimeout(() => console.log('never'), 600).unref();
process.on('exit', () => console.log('exit'));
