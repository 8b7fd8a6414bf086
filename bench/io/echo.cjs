// An echo server on a free port, which it prints.
const net = require('node:net');

const server = net.createServer((socket) => {
  socket.on('data', (chunk) => socket.write(chunk));
  socket.on('error', () => {});
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 8192 }, () => console.log(server.address().port));
