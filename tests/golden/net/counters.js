// bytesRead, bytesWritten and the rest of what can be counted.
const net = require('node:net');

const size = 3 * 1024 * 1024;
const server = net.createServer((socket) => {
  socket.on('end', () => {
    console.log('server', socket.bytesRead, socket.bytesWritten);
    socket.end(Buffer.alloc(1000));
  });
  socket.resume();
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1', () => {
    client.write('\u20ac');
    client.write(Buffer.alloc(size));
    client.write('more');
    console.log(client.bytesWritten);
    client.end('end');
    console.log(client.bytesWritten, client.bytesRead);
  });
  client.resume();
  client.on('finish', () => console.log('finish', client.bytesWritten, client.writableLength, client.bufferSize));
  client.on('close', () => {
    console.log('close', client.bytesWritten, client.bytesRead, client.bufferSize);
    server.close();
  });
});
