'use strict';
// The callback of close() throws after it queued a tick, which comes after the next callback: that of the timer.
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
process.on('uncaughtException', (error) => console.log('caught', error));
const server = require('net').createServer().listen(0, () => {
  server.close(() => {
    console.log('closed');
    setTimeout(() => console.log('timer'), 1);
    setImmediate(() => console.log('immediate'));
    process.nextTick(() => console.log('tick'));
    sleep(10);
    throw 'closed';
  });
});
