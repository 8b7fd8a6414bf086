'use strict';
// The interval is inserted again though its callback threw, behind the timers that it had started.
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
process.on('uncaughtException', (error) => console.log('caught', error));
let count = 0;
const interval = setInterval(() => {
  console.log('interval', ++count);
  setTimeout((call) => console.log('timeout of', call), 20, count);
  process.nextTick((call) => console.log('tick of', call), count);
  if (count === 3) clearInterval(interval);
  sleep(40);
  throw count;
}, 20);
