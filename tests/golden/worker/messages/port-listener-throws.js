'use strict';
// The messages behind one whose listener throws wait for the next turn.
const { MessageChannel } = require('worker_threads');
process.on('uncaughtException', (error) => console.log('uncaughtException', error.message));
const { port1, port2 } = new MessageChannel();
port2.on('message', (message) => {
  console.log('message', message);
  process.nextTick(() => console.log('tick of', message));
  if (message === 4) port1.close();
  if (message % 2 === 1) throw new Error(`of ${message}`);
});
port2.on('close', () => console.log('close'));
for (let i = 1; i <= 4; i++) port1.postMessage(i);
setImmediate(() => console.log('immediate'));
