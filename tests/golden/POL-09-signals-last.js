'use strict';
// Signals come in order of arrival, after all other events of the poll; the end of a child is one of them.
const fs = require('fs');
const { spawn } = require('child_process');
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

for (const name of ['SIGHUP', 'SIGUSR2', 'SIGTERM', 'SIGCHLD']) process.on(name, () => console.log(name));
setTimeout(() => {
  for (const name of ['SIGTERM', 'SIGUSR2', 'SIGHUP', 'SIGUSR2']) process.kill(process.pid, name);
  fs.stat('.', () => console.log('stat'));
  spawn('true', { stdio: 'ignore' }).on('exit', () => console.log('exit'));
  sleep(300);
  setImmediate(() => console.log('immediate'));
  setTimeout(() => {}, 100);
}, 20);
