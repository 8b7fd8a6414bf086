// A closed socket reports its sends in the closing phase, after 'close', which is a tick: what is out as sent, what is
// queued as cancelled. Sends that wait for a look-up are dropped.
const dgram = require('node:dgram');
const receiver = dgram.createSocket('udp4');
receiver.bind(0, '127.0.0.1', () => {
  const { port } = receiver.address();
  const sender = dgram.createSocket('udp4');
  sender.bind(0, '127.0.0.1', () => setImmediate(() => {
    sender.send('looked up', port, '127.0.0.1', () => console.log('never'));
    sender.close(() => {
      console.log('closed');
      const connected = dgram.createSocket('udp4');
      connected.connect(port, '127.0.0.1', () => {
        connected.send('out', (error, size) => console.log('sent', error, size));
        connected.send('queued behind it', (error, size) => {
          console.log(error.message, error.code, error.syscall, error.port, size);
          process.nextTick(() => console.log('tick'));
        });
        connected.close(() => console.log('closed'));
        setImmediate(() => console.log('immediate'));
        console.log('end of the script');
      });
    });
  }));
});
receiver.on('message', (message) => {
  console.log(String(message));
  receiver.close();
});
