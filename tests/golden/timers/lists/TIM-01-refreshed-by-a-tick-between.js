'use strict';
// The tick after the first timer refreshes the second one, which is about to run: it runs all the same.
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
setTimeout(() => {
  console.log('first');
  process.nextTick(() => second.refresh());
}, 10);
const second = setTimeout(() => console.log('second'), 10);
setTimeout(() => console.log('third'), 10);
setTimeout(() => console.log('of another list'), 12);
sleep(30);
