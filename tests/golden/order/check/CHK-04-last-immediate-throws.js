'use strict';
// If the last immediate of a batch throws, those set since run in the same phase; otherwise in the next turn.
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
process.on('uncaughtException', (error) => console.log('caught', error));
setTimeout(() => console.log('timer'), 1);
setImmediate(() => {
  console.log('first');
  setTimeout(() => console.log('timer of the first'), 1);
  sleep(10);
});
let count = 0;
setImmediate(function again() {
  const call = ++count;
  console.log('last', call);
  setImmediate(() => console.log('set by', call));
  process.nextTick(() => console.log('tick of', call));
  if (call === 4) return;
  setImmediate(again);
  throw call;
});
sleep(10);
