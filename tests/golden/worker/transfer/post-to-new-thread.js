// A thread that has not begun yet can be reached by postMessageToThread() already.
'use strict';
const { Worker, postMessageToThread } = require('worker_threads');

const worker = new Worker(`
  const { parentPort } = require('worker_threads');
  process.on('workerMessage', (value, source) => parentPort.postMessage([value, source]));
  parentPort.once('message', () => {});`, { eval: true });
worker.on('message', (message) => {
  worker.on('exit', () => console.log(message));
  worker.postMessage('end');
});
postMessageToThread(worker.threadId, 'hello').catch((error) => console.log(error.code));
