'use strict';
// The tick of the last immediate throws: what the immediate set waits for the next turn, and so do the other ticks.
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
process.on('uncaughtException', (error) => console.log('caught', error));
setImmediate(() => setImmediate(() => {
  console.log('immediate');
  setImmediate(() => console.log('set by it'));
  process.nextTick(() => { throw 'tick'; });
  process.nextTick(() => console.log('second tick'));
  setTimeout(() => console.log('timer'), 1);
  sleep(10);
}));
