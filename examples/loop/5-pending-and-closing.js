// A connection that ends on one side and is destroyed on the other: the phases that programs seldom notice.
//   ./dev run examples/loop/5-pending-and-closing.js
'use strict';

const net = require('net');

const server = net.createServer(function onConnection(socket) {
  socket.on('close', function onClose() {
    console.log('closing: the socket has been closed');
    server.close();
  });
  socket.destroy();
});

server.listen(0, '127.0.0.1', function onListening() {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.on('error', () => {});
  client.resume();
});
