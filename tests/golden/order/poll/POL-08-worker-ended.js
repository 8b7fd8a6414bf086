'use strict';
// The end of a worker wakes the loop once: the next result of the pool comes behind a socket that was ready before it.
process.env.UV_THREADPOOL_SIZE = '1';
const fs = require('node:fs');
const net = require('node:net');
const { Worker } = require('node:worker_threads');
const { sleep, waitUntilIdle } = require('../../fixtures/idle.js');
const settle = () => { sleep(20); waitUntilIdle(); };

const server = net.createServer((socket) => socket.destroy()).listen(0, '127.0.0.1', () => {
  const worker = new Worker("require('worker_threads').parentPort.on('message', () => {});", { eval: true });
  worker.on('online', () => setTimeout(() => {
    worker.terminate().then(() => {
      console.log('terminated');
      const client = net.connect(server.address().port, '127.0.0.1', () => {
        console.log('connect');
        fs.stat('.', () => console.log('stat'));
        settle();
      });
      client.on('end', () => console.log('end')).on('close', () => server.close());
      client.resume();
      setImmediate(settle);
    });
    settle();
  }, 50));
});
