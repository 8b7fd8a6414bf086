'use strict';
// Threads that end while jobs are in flight.
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
const zlib = require('node:zlib');

if (isMainThread) {
  const run = (index) => new Promise((resolve) => {
    const worker = new Worker(__filename);
    const messages = [];
    worker.on('message', (message) => {
      messages.push(message);
      if (message === 'busy') worker.terminate();
    });
    worker.on('error', (error) => messages.push(error.message));
    worker.on('exit', () => resolve([index, ...messages]));
  });
  Promise.all([0, 1, 2, 3].map(run)).then((all) => {
    for (const one of all) console.log(...one);
  });
} else {
  const packed = zlib.gzipSync(Buffer.alloc(1e6, 'abc'));
  zlib.gunzip(packed, (error, result) => {
    parentPort.postMessage(`unpacked ${result.length}`);
    const busy = Buffer.alloc(3e7, 'some text, ');
    for (let i = 0; i < 8; i++) zlib.brotliCompress(busy, () => parentPort.postMessage('too late'));
    for (let i = 0; i < 8; i++) zlib.createGzip().end(busy);
    zlib.createGunzip().on('data', () => {}).write(packed);
    parentPort.postMessage('busy');
  });
}
