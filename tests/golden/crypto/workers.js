'use strict';
// Each thread has its own; a thread that is ended does not wait for its pending jobs.
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
const crypto = require('node:crypto');
const dns = require('node:dns');

if (isMainThread) {
  const run = (index) => new Promise((resolve) => {
    const worker = new Worker(__filename);
    const messages = [];
    worker.on('message', (message) => {
      messages.push(message);
      if (message === 'ready') worker.terminate();
    });
    worker.on('error', (error) => messages.push(error.message));
    worker.on('exit', () => resolve([index, ...messages]));
  });
  Promise.all([0, 1, 2].map(run)).then((all) => {
    console.log(all);
    console.log(crypto.createHash('sha1').update('main').digest('hex'));
  });
} else {
  parentPort.postMessage(crypto.createHash('sha1').update('worker').digest('hex'));
  crypto.randomBytes(16, (error, bytes) => {
    parentPort.postMessage(bytes.length);
    const resolver = new dns.Resolver({ timeout: 60000 });
    resolver.setServers(['192.0.2.1']);
    resolver.resolve4('never.test', () => {});
    for (let i = 0; i < 50; i++) crypto.scrypt('a', 'b', 32, { N: 16384 }, () => {});
    for (let i = 0; i < 10; i++) dns.lookup('localhost', () => {});
    crypto.createHash('sha1').update('left open');
    parentPort.postMessage('ready');
  });
}
