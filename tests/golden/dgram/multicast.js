// Groups on the loopback interface.
const dgram = require('node:dgram');
const receiver = dgram.createSocket({ type: 'udp4', reuseAddr: true });
const sender = dgram.createSocket('udp4');
const kGroup = '239.255.17.42';

receiver.on('message', (message, { address }) => {
  console.log('message', String(message), address);
  if (String(message) === 'second') {
    receiver.dropMembership(kGroup, '127.0.0.1');
    try {
      receiver.dropMembership(kGroup, '127.0.0.1');
    } catch (error) {
      console.log(error.message, error.code, error.syscall);
    }
    receiver.addSourceSpecificMembership('127.0.0.1', '232.17.42.1', '127.0.0.1');
    sender.send('from the source', receiver.address().port, '232.17.42.1');
    return;
  }
  if (String(message) !== 'from the source') return;
  receiver.dropSourceSpecificMembership('127.0.0.1', '232.17.42.1', '127.0.0.1');
  receiver.close();
  sender.close();
});
receiver.bind(0, () => {
  console.log(receiver.addMembership(kGroup, '127.0.0.1'));
  try {
    receiver.addMembership(kGroup, '127.0.0.1');
  } catch (error) {
    console.log(error.message, error.code, error.syscall);
  }
  sender.bind(0, '127.0.0.1', () => {
    const { port } = receiver.address();
    sender.setMulticastInterface('127.0.0.1');
    console.log(sender.setMulticastTTL(1), sender.setMulticastLoopback(true));
    sender.send('first', port, kGroup, () => {
      sender.setMulticastLoopback(false);
      sender.send('not for us', port, kGroup, () => {
        sender.setMulticastLoopback(true);
        sender.send('second', port, kGroup);
      });
    });
  });
});
