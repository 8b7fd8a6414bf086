'use strict';
// Tasks of the engine, such as the one that waitAsync() posts, do not drain the queues that an exception left behind.
const fs = require('node:fs');
const cell = new Int32Array(new SharedArrayBuffer(4));
process.on('uncaughtException', (error) => console.log('caught', error.message));

Atomics.waitAsync(cell, 0, 0, 1000);
fs.stat('.', () => {
  setImmediate(() => console.log('immediate'));
  process.nextTick(() => console.log('tick'));
  throw new Error('thrown');
});
Atomics.wait(cell, 0, 0, 50); // The result is there when the loop polls.
