'use strict';
// Signals come in order of arrival, after all other events of the poll; the end of a child is one of them.
const fs = require('fs');
const { spawn } = require('child_process');
const { waitUntilIdle } = require('../../fixtures/idle.js');

for (const name of ['SIGHUP', 'SIGUSR2', 'SIGTERM', 'SIGCHLD']) process.on(name, () => console.log(name));
setTimeout(() => {
  for (const name of ['SIGTERM', 'SIGUSR2', 'SIGHUP', 'SIGUSR2']) process.kill(process.pid, name);
  fs.stat('.', () => console.log('stat'));
  spawn('true', { stdio: 'ignore' }).on('exit', () => console.log('exit'));
  waitUntilIdle();
  setImmediate(() => console.log('immediate'));
  setTimeout(() => {}, 100);
}, 20);
