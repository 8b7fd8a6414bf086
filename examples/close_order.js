// Timeout or immediate? From the 'close' of a destroyed socket it may be either: closing is the last phase of a turn,
// and the timer is due, or not, by the time the next one begins. A seed makes the choice, the same each time:
//   ./dev run examples/close_order.js
//   rondo --clock=virtual --seed=1 examples/close_order.js, then with --seed=5
'use strict';
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
