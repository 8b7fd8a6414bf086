// The end of a stream is found by another readiness event than the data before it.
const net = require('node:net');
const block = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const server = net.createServer((socket) => {
  server.close();
  socket.on('data', (data) => {
    console.log('data', data.length);
    setImmediate(() => console.log('immediate after the data'));
  });
  socket.on('end', () => {
    console.log('end');
    setImmediate(() => console.log('immediate after the end'));
  });
  socket.on('close', () => console.log('closed'));
  client.end('text');
  client.on('finish', () => {
    console.log('finish');
    block(20);
  });
});
let client;
server.listen(0, '127.0.0.1', () => {
  client = net.connect(server.address().port, '127.0.0.1');
  client.resume();
});
