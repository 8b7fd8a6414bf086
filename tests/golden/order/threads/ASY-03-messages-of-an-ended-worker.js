'use strict';
// A worker that has ended before the main thread polls: its messages come before 'online', then 'exit'.
const { Worker } = require('worker_threads');
const { waitUntilIdle } = require('../../fixtures/idle.js');

new Worker("require('worker_threads').parentPort.postMessage('text')", { eval: true })
  .on('online', () => console.log('online'))
  .on('message', (message) => console.log('message', message))
  .on('exit', (code) => console.log('exit', code));
setImmediate(() => console.log('immediate'));
waitUntilIdle();
