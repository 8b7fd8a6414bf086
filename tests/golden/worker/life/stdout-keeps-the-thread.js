'use strict';
// A worker lives until its starter has taken what it wrote to stdout, so 'online' comes before its message here; the
// callback of the write comes then, too.
const { Worker } = require('worker_threads');
const { waitUntilIdle } = require('../../fixtures/idle.js');

new Worker(`
  const { parentPort } = require('worker_threads');
  process.stdout.write('', () => parentPort.postMessage('written'));
  process.on('exit', () => parentPort.postMessage('exit of the worker'));
  parentPort.postMessage('end of the script');`, { eval: true })
  .on('online', () => console.log('online'))
  .on('message', (message) => {
    console.log(message);
    waitUntilIdle();
  })
  .on('exit', (code) => console.log('exit', code));
waitUntilIdle();
setImmediate(() => console.log('immediate'));
