// Destroyed while it connects, and connected again before that is over.
const net = require('node:net');

const server = net.createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1', () => {
  const socket = new net.Socket();
  const { port } = server.address();
  socket.connect(1, '127.0.0.1');
  setImmediate(() => {
    socket.destroy();
    socket.connect(port, '127.0.0.1', () => console.log('connected', socket.remotePort === port));
  });
  socket.on('error', (error) => console.log('error', error.code));
  let text = '';
  socket.on('data', (data) => { text += data; });
  socket.on('end', () => {
    console.log('end', text);
    server.close();
  });
});
