// Datagrams that go through the queue are sent in order, and their callbacks come before immediates. The queue counts
// them until then.
const dgram = require('node:dgram');
const receiver = dgram.createSocket('udp4');
const sender = dgram.createSocket('udp4');
const queue = () => `${sender.getSendQueueCount()} datagrams, ${sender.getSendQueueSize()} bytes`;

const received = [];
receiver.on('message', (message) => {
  received.push(String(message));
  if (received.length < 4) return;
  console.log(received);
  receiver.close();
  sender.close();
});
receiver.bind(0, '127.0.0.1', () => sender.bind(0, '127.0.0.1', () => {
  const { port } = receiver.address();
  sender.connect(port, '127.0.0.1', () => {
    console.log(queue());
    sender.send('first', (error, size) => {
      console.log('first', error, size, queue());
      sender.send('last', () => console.log('last', queue()));
      process.nextTick(() => console.log('tick'));
    });
    console.log(queue());
    sender.send(['sec', 'ond'], (error, size) => console.log('second', error, size, queue()));
    sender.send('third');
    console.log(queue());
    setImmediate(() => console.log('immediate'));
  });
}));
