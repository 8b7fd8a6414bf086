'use strict';
// The kernel takes a part of a large write at once; the stream counts all of it until the callback.
const net = require('net');
const server = net.createServer((connection) => {
  connection.pause();
  server.connection = connection;
}).listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1');
  const say = (...what) => console.log(...what, socket.writableLength, socket.bytesWritten);
  socket.on('connect', () => {
    console.log(socket.write(Buffer.alloc(20_000_000), (error) => say('written', error)));
    say('bytes', socket.writableNeedDrain);
    console.log(socket.write('é'.repeat(3_000_000), (error) => say('written', error)));
    say('text');
    setTimeout(() => {
      say('nobody has read');
      let size = 0;
      server.connection.on('data', (chunk) => {
        size += chunk.length;
      });
      server.connection.on('end', () => console.log('received', size));
      server.connection.resume();
      socket.end(() => say('end'));
      server.close();
    }, 20);
  });
});
