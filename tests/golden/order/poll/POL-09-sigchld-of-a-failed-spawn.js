'use strict';
// A program that cannot be started raises SIGCHLD like a child that has ended.
const { spawn } = require('child_process');

process.on('SIGCHLD', () => console.log('SIGCHLD'));
setTimeout(() => {
  spawn('/missing').on('error', (error) => console.log(error.code));
  setImmediate(() => {
    console.log('immediate');
    spawn('true', { cwd: '/missing' }).on('error', (error) => console.log(error.code));
    setImmediate(() => console.log('immediate'));
    setTimeout(() => process.removeAllListeners(), 50);
  });
}, 1);
