'use strict';
// Threads share one time, which jumps when none of them has anything to do.
const { Worker, isMainThread, parentPort } = require('worker_threads');
if (isMainThread) {
  const start = Date.now();
  // To the minute: what the threads themselves do takes real time.
  const log = (...what) => console.log(Math.floor((Date.now() - start) / 60000), ...what);
  const worker = new Worker(__filename);
  setTimeout(log, 1800000, 'main: half an hour');
  setTimeout(log, 5400000, 'main: an hour and a half');
  worker.on('message', (text) => {
    log(text);
    if (text === 'worker: an hour') worker.postMessage('go on');
  });
  worker.on('exit', (code) => log('exit', code));
} else {
  const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
  (async () => {
    await sleep(3600000);
    parentPort.postMessage('worker: an hour');
    await new Promise((resolve) => { parentPort.once('message', resolve); });
    let sum = 0;
    for (let i = 0; i < 3e7; i++) sum += i; // Busy, and time stands still or passes, but does not jump.
    await sleep(3600000);
    parentPort.postMessage(`worker: two hours ${sum > 0}`);
  })();
}
