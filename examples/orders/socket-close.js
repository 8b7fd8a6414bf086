// From the 'close' of a socket that was destroyed: the closing phase is followed by timers (ORD-03). Two outcomes.
const net = require('net');

const server = net.createServer((socket) => socket.resume());
server.listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1', () => socket.destroy());
  socket.on('close', () => {
    setTimeout(() => console.log('timeout'), 0);
    setImmediate(() => console.log('immediate'));
    server.close();
  });
});
