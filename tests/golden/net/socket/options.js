'use strict';
// The type of service and the intervals of keep-alive, before and after a connection.
const net = require('node:net');
const attempt = (call) => {
  try {
    return call();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};
const idle = new net.Socket();
console.log(idle.getTypeOfService(), idle.setTypeOfService(16) === idle, idle.getTypeOfService());
for (const value of [-1, 256, NaN, '1', 1.5, undefined]) console.log(attempt(() => idle.setTypeOfService(value)));
console.log(attempt(() => new net.Socket({ typeOfService: 300 })));
const server = net.createServer((socket) => socket.resume()).listen(0, '127.0.0.1', () => {
  const socket = net.connect({ port: server.address().port, host: '127.0.0.1', typeOfService: 32 }, () => {
    console.log(socket.getTypeOfService(), socket.setTypeOfService(8).getTypeOfService());
    console.log(socket.setKeepAlive(true, 5000, 2000, 3) === socket, socket.setKeepAlive({ enable: true, initialDelay: 1000 }) === socket);
    socket.end();
  });
  socket.on('close', () => server.close());
});
