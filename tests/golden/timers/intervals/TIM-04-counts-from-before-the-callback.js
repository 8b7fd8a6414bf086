'use strict';
// The interval counts from the start of its callback, though it is inserted after it: a timer that the callback starts at
// its end is due later.
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
let count = 0;
const interval = setInterval(() => {
  console.log('interval', ++count);
  if (count === 3) clearInterval(interval);
  sleep(100);
  setTimeout((call) => console.log('timeout of', call), 150, count);
}, 200);
