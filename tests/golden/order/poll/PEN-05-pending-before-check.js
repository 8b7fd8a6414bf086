'use strict';
// Callbacks that poll defers, here the shutdown of a socket, run before the immediates.
const net = require('net');
const server = net.createServer((socket) => {
  socket.on('data', () => {
    socket.on('finish', () => console.log('finish'));
    socket.end();
    setImmediate(() => console.log('immediate'));
  });
  socket.on('close', () => server.close());
}).listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1', () => client.write('x'));
  client.resume();
});
