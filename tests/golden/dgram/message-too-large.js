// A datagram that is larger than the network allows gets EMSGSIZE, and does not harm the socket.
const dgram = require('node:dgram');
const server = dgram.createSocket('udp4');
const client = dgram.createSocket('udp4');
server.bind(0, '127.0.0.1', () => {
  const { port } = server.address();
  client.send(Buffer.alloc(65508), port, '127.0.0.1', (error, ...rest) => {
    console.log(error.message.replace(port, 'PORT'), Object.keys(error), rest);
    console.log(error.code, error.errno, error.syscall, error.address, error.port === port);
    client.send(Buffer.alloc(65507, 'x'), port, '127.0.0.1', (error2, size) => console.log(error2, size));
  });
  client.send(Buffer.alloc(100000), port); // Without a callback the error is lost.
});
server.on('message', (message, { size }) => {
  console.log('message', message.length, size, message.buffer.byteLength, message.every((byte) => byte === 120));
  server.close();
  client.close();
});
