// One event of a socket delivers up to 32 messages, each as a callback of its own, with its ticks and promises.
// Messages that arrive meanwhile are delivered in the same event; immediates run before the next one.
const dgram = require('node:dgram');
const receiver = dgram.createSocket('udp4');
const sender = dgram.createSocket('udp4');

let count = 0;
let ticks = 0;
let promises = 0;
receiver.on('message', (message) => {
  if (ticks !== count || promises !== count) console.log('not drained before', String(message));
  if (Number(message) !== count) console.log('out of order', String(message));
  count++;
  process.nextTick(() => ticks++);
  Promise.resolve().then(() => promises++);
  if (count === 1) setImmediate(() => console.log('immediate after', count, 'messages'));
  if (count === 3) sender.send('40');
  if (count === 33) setImmediate(() => console.log('immediate after', count, 'messages'));
  if (count < 41) return;
  receiver.close();
  sender.close();
});
receiver.bind(0, '127.0.0.1', () => sender.connect(receiver.address().port, '127.0.0.1', () => {
  for (let i = 0; i < 40; i++) sender.send(String(i));
}));
