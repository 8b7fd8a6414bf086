// If the socket cannot be bound, it emits 'error', forgets what waited for it, and may be bound again.
const dgram = require('node:dgram');
const first = dgram.createSocket('udp4');
first.bind(0, '127.0.0.1', () => {
  const { port } = first.address();
  const second = dgram.createSocket('udp4');
  second.on('error', (error) => {
    const { code, syscall, address } = error;
    console.log(error.message.replace(port, 'PORT'), code, syscall, address, error.port === port);
    console.log(second.listenerCount('listening'));
    second.bind(0, '127.0.0.1', () => {
      console.log('bound again');
      second.close();
      noListener(port);
    });
  });
  second.bind(port, '127.0.0.1', () => console.log('never'));
  second.send('x', port, '127.0.0.1', () => console.log('never'));
});

function noListener(port) {
  process.once('uncaughtException', (error) => {
    console.log('uncaught', error.code);
    third.close();
    failing();
  });
  const third = dgram.createSocket('udp4');
  third.bind(port, '127.0.0.1', () => console.log('never'));
}

function failing() {
  const lookup = (name, family, callback) => callback(new Error('look-up failed'));
  const socket = dgram.createSocket({ type: 'udp4', lookup });
  socket.on('error', (error) => {
    console.log(error.message);
    socket.close();
    first.close();
  });
  socket.bind(0, 'a.name');
}
