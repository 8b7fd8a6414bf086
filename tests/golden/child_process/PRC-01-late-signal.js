'use strict';
// The signal of a child that was reported with others is read by the next poll. It does not report a child that is
// spawned and ends inside the 'exit' of a later one.
const { spawn } = require('node:child_process');
const { sleep, waitUntilIdle } = require('../fixtures/idle.js');
const settle = () => { sleep(20); waitUntilIdle(); };
const options = { stdio: ['ignore', 'pipe', 'ignore'] };
function start(name, onExit) {
  const child = spawn('true', options);
  child.on('exit', () => { console.log(name, 'exit'); onExit?.(); });
  child.stdout.on('close', () => console.log(name, 'close'));
  child.stdout.resume();
}

start('a');
start('b', () => { start('c'); settle(); });
setImmediate(() => {
  settle();
  setTimeout(() => {
    start('d', () => { start('e'); settle(); });
    settle();
  }, 100);
});
settle();
