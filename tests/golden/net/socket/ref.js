// unref(): neither an idle server nor an idle socket keeps the program alive.
const net = require('node:net');

const server = net.createServer((socket) => socket.unref().resume());
console.log(server.unref() === server);
server.listen(0, '127.0.0.1', () => {
  console.log('listening', server._handle.hasRef());
  server.ref();
  console.log(server._handle.hasRef());
  const client = net.connect(server.address().port, '127.0.0.1', () => {
    console.log('connected');
    server.unref();
    client.unref();
    client.on('close', () => console.log('never'));
  });
  const other = new net.Socket();
  console.log(other.unref() === other, other.listenerCount('connect'));
  console.log(other.ref() === other, other.listenerCount('connect'));
});
// Until it listens, only the look-up keeps us here.
process.on('exit', () => console.log('exit', server.listening));
