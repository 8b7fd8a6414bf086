'use strict';
// An interval is inserted again after its callback, so timers of equal delay that the callback started come first.
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
let count = 0;
const interval = setInterval(() => {
  console.log('interval', ++count);
  const call = count;
  setTimeout(() => console.log('timeout of', call), 20);
  if (call === 3) clearInterval(interval);
  sleep(40);
}, 20);
