// A socket that its handler closes emits no more messages, even if they have arrived. 'close' is a tick.
const dgram = require('node:dgram');
const receiver = dgram.createSocket('udp4');
const sender = dgram.createSocket('udp4');

receiver.on('message', (message) => {
  console.log('message', String(message));
  process.nextTick(() => console.log('tick'));
  if (String(message) !== '5') return;
  receiver.close(() => {
    console.log('close');
    sender.close();
  });
  process.nextTick(() => console.log('tick after close()'));
  setImmediate(() => console.log('immediate'));
});
receiver.bind(0, '127.0.0.1', () => sender.connect(receiver.address().port, '127.0.0.1', () => {
  for (let i = 0; i < 20; i++) sender.send(String(i));
}));
