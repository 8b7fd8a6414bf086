'use strict';
// Immediates that a batch sets wait for the next turn if one before the last throws.
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
process.on('uncaughtException', (error) => {
  console.log('caught', error);
  setImmediate(() => console.log('set by the handler of', error));
});
for (let i = 1; i <= 4; i++) {
  setImmediate(() => {
    console.log('immediate', i);
    setImmediate(() => console.log('set by', i));
    if (i === 1) setTimeout(() => console.log('timer'), 1);
    sleep(5);
    if (i === 2 || i === 3) throw i;
  });
}
