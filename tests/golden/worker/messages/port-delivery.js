'use strict';
// Each message is a callback of its own in poll, with ticks and microtasks between them.
const { MessageChannel } = require('worker_threads');
const { port1, port2 } = new MessageChannel();
let left = 3;
port2.on('message', (m) => {
  console.log('message', m);
  process.nextTick(() => console.log('tick', m));
  Promise.resolve().then(() => console.log('microtask', m));
  setImmediate(() => console.log('immediate', m));
  if (--left === 0) port2.close();
});
port2.on('close', () => console.log('port2 closed'));
port1.on('close', () => console.log('port1 closed'));
for (let i = 1; i <= 3; i++) console.log(port1.postMessage(i));
setImmediate(() => console.log('first immediate'));
process.nextTick(() => console.log('first tick'));
console.log('end of script');
