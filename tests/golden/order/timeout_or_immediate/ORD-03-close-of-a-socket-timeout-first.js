// From the 'close' of a destroyed socket both orders are possible; this seed lets the timer go first.
const net = require('node:net');

const server = net.createServer((socket) => socket.resume());
server.listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1', () => socket.destroy());
  socket.on('close', () => {
    setTimeout(() => console.log('timeout'), 0);
    setImmediate(() => console.log('immediate'));
    server.close();
  });
});
