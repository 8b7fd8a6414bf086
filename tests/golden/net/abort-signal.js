// Signals end servers and sockets.
const net = require('node:net');

const controller = new AbortController();
const server = net.createServer((socket) => socket.resume().on('error', () => {}));
server.on('close', () => console.log('server close'));
server.listen({ port: 0, host: '127.0.0.1', signal: controller.signal }, () => {
  const { port } = server.address();
  const ofSocket = new AbortController();
  const socket = net.connect({ port, host: '127.0.0.1', signal: ofSocket.signal }, () => {
    console.log('connected');
    ofSocket.abort();
    console.log(socket.destroyed);
  });
  socket.on('error', (error) => console.log(error.name, error.code, error.message));
  socket.on('close', (hadError) => {
    console.log('close', hadError);
    controller.abort();
    console.log(server.listening);
  });
});
const stillborn = net.createServer();
stillborn.on('close', () => console.log('stillborn close'));
stillborn.on('listening', () => console.log('never'));
stillborn.listen({ port: 0, signal: AbortSignal.abort() });
