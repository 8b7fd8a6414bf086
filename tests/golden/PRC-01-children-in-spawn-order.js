'use strict';
// Children that ended before one poll are reported in spawn order, in that poll.
const { spawn } = require('child_process');
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

spawn('sleep', ['0.2'], { stdio: 'ignore' }).on('exit', () => console.log('A'));
spawn('true', { stdio: 'ignore' }).on('exit', () => console.log('B'));
spawn('sh', ['-c', 'kill -9 $$'], { stdio: 'ignore' }).on('exit', (code, signal) => console.log('C', signal));
setImmediate(() => {
  console.log('immediate 1');
  setImmediate(() => console.log('immediate 2'));
});
sleep(1000);
