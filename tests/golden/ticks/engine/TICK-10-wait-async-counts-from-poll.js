'use strict';
// The timeout of Atomics.waitAsync() begins in the poll after the call: time that the callback takes does not count.
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
setTimeout(() => {
  const timeout = setTimeout(() => {}, 100_000); // Keeps the loop alive, and reads the clock.
  sleep(600);
  Atomics.waitAsync(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400).value.then((result) => {
    console.log(result);
    clearTimeout(timeout);
  });
  setImmediate(() => setImmediate(() => console.log('an immediate of the next turn')));
}, 1);
