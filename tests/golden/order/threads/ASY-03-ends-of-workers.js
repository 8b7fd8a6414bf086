'use strict';
// Workers that have ended are reported before messages of ports and before immediates; all of them before any tick.
const fs = require('fs');
const { Worker } = require('worker_threads');
const { waitUntilIdle } = require('../../fixtures/idle.js');
const code = "require('worker_threads').parentPort.on('message', process.exit).postMessage('ready')";

function start(names, ready) {
  let left = names.length;
  const workers = names.map((name) => new Worker(code, { eval: true })
    .once('message', () => { if (--left === 0) setTimeout(ready, 100, workers); })
    .on('exit', (status) => {
      console.log(name, 'exit', status);
      Promise.resolve().then(() => console.log(name, 'promise'));
    }));
}

start(['a', 'b'], (workers) => {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', () => { console.log('message'); port1.close(); again(); });
  port2.postMessage(0);
  workers[0].postMessage(1);
  waitUntilIdle();
  workers[1].postMessage(2);
  waitUntilIdle();
});

// The same from a callback of poll.
function again() {
  start(['c', 'd'], (workers) => fs.stat('.', () => {
    setImmediate(() => console.log('immediate'));
    workers[0].postMessage(3);
    waitUntilIdle();
    workers[1].postMessage(4);
    waitUntilIdle();
  }));
}
