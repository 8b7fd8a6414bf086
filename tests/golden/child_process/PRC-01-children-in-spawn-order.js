'use strict';
// Children that ended before one poll are reported in spawn order, in that poll.
const { spawn } = require('child_process');
const { waitUntilIdle } = require('../fixtures/idle.js');

spawn('sh', ['-c', 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done'], { stdio: 'ignore' }).on('exit', () => console.log('A'));
spawn('true', { stdio: 'ignore' }).on('exit', () => console.log('B'));
spawn('sh', ['-c', 'kill -9 $$'], { stdio: 'ignore' }).on('exit', (code, signal) => console.log('C', signal));
setImmediate(() => {
  console.log('immediate 1');
  setImmediate(() => console.log('immediate 2'));
});
waitUntilIdle();
