// A datagram is out when send() returns, and its callback is a tick. Messages come from poll, after immediates that
// were set before, and before those that a message sets.
const dgram = require('node:dgram');
const receiver = dgram.createSocket('udp4');
const sender = dgram.createSocket('udp4');
const log = (...words) => console.log(...words);

receiver.bind(0, '127.0.0.1', () => sender.bind(0, '127.0.0.1', () => {
  const { port } = receiver.address();
  sender.connect(port, '127.0.0.1', () => setImmediate(() => {
    sender.send('one', (error, size) => {
      log('sent', error, size);
      Promise.resolve().then(() => log('promise of the callback'));
      process.nextTick(() => log('tick of the callback'));
    });
    process.nextTick(() => log('tick after send'));
    Promise.resolve().then(() => log('promise after send'));
    sender.send('two');
    sender.send('', () => log('sent nothing'));
    setImmediate(() => log('immediate'));
    log('end of the script');
  }));
}));
receiver.on('message', (message) => {
  log('message', String(message), message.length);
  process.nextTick(() => log('tick of the message'));
  Promise.resolve().then(() => log('promise of the message'));
  if (message.length > 0) return;
  setImmediate(() => log('immediate of the last message'));
  receiver.close(() => log('receiver closed'));
  sender.close(() => log('sender closed'));
});
