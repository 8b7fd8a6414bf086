'use strict';
// A callback clears the rest of its list, and starts timers of the same duration: they are in a new list.
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
setTimeout(() => {
  console.log('runs');
  clearTimeout(rest);
  setTimeout(() => console.log('50'), 50);
  setTimeout(() => console.log('20'), 20);
  setTimeout(() => console.log('50 again'), 50);
  sleep(80);
}, 50);
const rest = setTimeout(() => console.log('never'), 50);
sleep(80);
