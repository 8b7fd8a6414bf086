'use strict';
// A worker that is unref'd does not keep the program alive.
const { Worker } = require('worker_threads');
const worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
worker.on('online', () => {
  console.log('online');
  worker.unref();
});
worker.on('exit', () => console.log('never'));
process.on('exit', (code) => console.log('exit', code));
