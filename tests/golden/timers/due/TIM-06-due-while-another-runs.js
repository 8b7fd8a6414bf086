'use strict';
// The phase has one time. What falls due while a callback runs waits for the next turn, behind the immediates.
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
setTimeout(() => {
  console.log('slow');
  setImmediate(() => console.log('immediate'));
  sleep(600);
}, 20);
setTimeout(() => console.log('fell due'), 400);
setTimeout(() => console.log('of the list of the slow one'), 20);
setTimeout(() => console.log('fell due as well'), 420);
sleep(50);
