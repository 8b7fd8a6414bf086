'use strict';
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');

if (isMainThread) {
  const worker = new Worker(__filename, { workerData: 3 });
  worker.on('message', (m) => console.log(m));
  worker.on('exit', (code) => console.log('exit', code));
} else if (workerData > 0) {
  const child = new Worker(__filename, { workerData: workerData - 1 });
  child.on('message', (m) => parentPort.postMessage(`${workerData}<${m}`));
  child.on('exit', (code) => parentPort.postMessage(`${workerData}: child ended with ${code}`));
} else {
  parentPort.postMessage('innermost');
  process.exitCode = 7;
}
