'use strict';
// One callback of each kind, in every phase that JavaScript can reach.
const fs = require('node:fs');
const net = require('node:net');

setTimeout(function onTimer() {}, 2);
setImmediate(function onImmediate() {});
process.nextTick(function onTick() {});
Promise.resolve().then(function onPromise() {});
queueMicrotask(function onMicrotask() {});
fs.readFile(__filename, function onRead() {});

const server = net.createServer(function onConnection(socket) { socket.end('bye'); });
server.listen(0, '127.0.0.1', function onListening() {
  const { port } = server.address();
  const client = net.connect(port, '127.0.0.1');
  client.on('data', function onData() { client.destroy(); });
  client.on('close', function onClose() {
    server.close(function onServerClose() {
      // The server is closed.
      net.connect(port, '127.0.0.1').on('error', function onRefused() { console.log('done'); });
    });
  });
});
