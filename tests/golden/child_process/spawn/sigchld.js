'use strict';
// A program may listen to SIGCHLD; its children are still reported.
const { spawn, spawnSync } = require('child_process');

let signals = 0;
let last;
process.on('SIGCHLD', (name, number) => {
  signals++;
  last = [name, number];
});
const one = spawn('true');
one.on('exit', (code) => {
  console.log('exit', code);
  console.log(spawnSync('sh', ['-c', 'exit 2']).status);
  const wait = setInterval(() => {
    if (signals === 0) return;
    clearInterval(wait);
    console.log(last);
    process.removeAllListeners('SIGCHLD');
    spawn('sh', ['-c', 'exit 3']).on('exit', (status) => console.log('exit', status));
  }, 10);
});
