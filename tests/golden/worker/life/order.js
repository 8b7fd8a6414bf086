'use strict';
// The order of callbacks inside a worker: its program runs in poll.
const { Worker } = require('worker_threads');
new Worker(`
  const { parentPort } = require('worker_threads');
  const log = [];
  const note = (what) => log.push(what);
  setTimeout(note, 0, 'timeout');
  setImmediate(note, 'immediate');
  process.nextTick(note, 'tick');
  Promise.resolve().then(() => { note('microtask'); process.nextTick(note, 'tick of a microtask'); });
  queueMicrotask(() => note('queued'));
  note('end of script');
  process.on('beforeExit', () => note('beforeExit'));
  process.on('exit', () => { note('exit'); parentPort.postMessage(log); });
`, { eval: true }).on('message', (log) => console.log(log.join('\n')));
