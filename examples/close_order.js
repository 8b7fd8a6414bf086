// Timeout or immediate? After the 'close' of a destroyed socket both orders are possible: closing is the last phase of
// a turn, and the timer may or may not be due when the next turn begins. A seed selects the order reproducibly:
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
