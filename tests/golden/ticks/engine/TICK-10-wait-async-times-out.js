'use strict';
// The timeouts of Atomics.waitAsync are timers of the loop: each is a callback of its own, behind which ticks and
// microtasks run, and they come before the check phase of the turn in which they are found due.
const view = new Int32Array(new SharedArrayBuffer(4));
const block = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const waits = (name, ms) => Atomics.waitAsync(view, 0, 0, ms).value.then((outcome) => {
  console.log(name, outcome);
  process.nextTick(() => console.log(name, 'tick'));
  Promise.resolve().then(() => console.log(name, 'microtask'));
  setImmediate(() => console.log(name, 'immediate'));
});
waits('b', 40);
waits('c', 80);
waits('a', 20);
setTimeout(() => console.log('a second is over'), 1000);
setImmediate(() => setImmediate(() => {
  block(200);
  console.log('blocked');
  setImmediate(() => console.log('immediate'));
}));
