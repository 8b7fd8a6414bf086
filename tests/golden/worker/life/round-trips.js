'use strict';
const { Worker, isMainThread, parentPort } = require('worker_threads');
if (isMainThread) {
  const worker = new Worker(__filename);
  let sum = 0;
  worker.on('message', (n) => {
    sum += n;
    if (n < 500) worker.postMessage(n + 1);
    else worker.postMessage('stop');
  });
  worker.postMessage(1);
  worker.on('exit', (code) => console.log(code, sum));
} else {
  parentPort.on('message', (n) => {
    if (n === 'stop') parentPort.close();
    else parentPort.postMessage(n);
  });
}
