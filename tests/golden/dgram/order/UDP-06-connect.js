// A connected socket sends to its peer and receives from no other. A peer that is not there shows as an error.
const dgram = require('node:dgram');
const server = dgram.createSocket('udp4');
const other = dgram.createSocket('udp4');
const client = dgram.createSocket('udp4');
const attempt = (what) => {
  try {
    console.log(what());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
};

attempt(() => client.remoteAddress());
attempt(() => client.disconnect());
server.bind(0, '127.0.0.1', () => other.bind(0, '127.0.0.1', () => {
  const { port } = server.address();
  client.on('connect', () => console.log('connect'));
  attempt(() => client.connect(port, '127.0.0.1', function(...args) {
    console.log('connected', args, this === client);
    const peer = client.remoteAddress();
    console.log(peer.address, peer.family, peer.port === port, Object.keys(peer));
    attempt(() => client.connect(port));
    attempt(() => client.send('x', port));
    attempt(() => client.send('x', 0, 1, port, '127.0.0.1'));
    other.send('from another', client.address().port, '127.0.0.1', () => {
      client.send('hello', 1, 3, (error, size) => console.log('sent', error, size));
    });
  }));
  attempt(() => client.connect(port));
}));
server.on('message', (message, { port, address }) => {
  console.log('server got', String(message));
  server.send('answer', port, address);
});
client.once('message', (message) => {
  console.log('client got', String(message));
  client.disconnect();
  attempt(() => client.remoteAddress());
  attempt(() => client.disconnect());
  const { port } = server.address();
  server.close(() => client.connect(port, '127.0.0.1', () => {
    client.once('error', (error) => {
      console.log(error.message, error.code, error.syscall, error.errno);
      client.close();
      other.close(refused);
    });
    client.send('to nobody', (error) => console.log('sent', error));
  }));
});

function refused() {
  const socket = dgram.createSocket('udp4');
  socket.connect(1, '::1', (error) => {
    console.log(error.code, error.syscall);
    socket.once('error', ({ code }) => {
      console.log('error', code);
      socket.close();
    });
    socket.connect(1, '::1');
  });
}
