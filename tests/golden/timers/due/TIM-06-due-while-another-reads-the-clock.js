'use strict';
// The slow callback starts a timer at its end. Two overdue lists still come first, and in order.
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
setTimeout(() => {
  console.log('slow');
  sleep(200);
  setTimeout(() => console.log('started at the end'), 100);
  setImmediate(() => console.log('immediate'));
}, 100);
setTimeout(() => console.log('second'), 160);
setTimeout(() => console.log('first'), 150);
