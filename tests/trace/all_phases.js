// A timer, a file read, an immediate, a tick, a promise, and a socket that is destroyed.
'use strict';
const fs = require('fs');
const net = require('net');

fs.readFile(__filename, function fileRead() {
  setTimeout(function timedOut() {}, 1);
  setImmediate(function checked() {});
  process.nextTick(function ticked() {});
  Promise.resolve().then(function reacted() {});
  queueMicrotask(function queued() {});
});
const server = net.createServer(function connected(socket) {
  socket.on('close', function destroyed() {});
  socket.destroy();
  server.close();
});
server.listen(0, '127.0.0.1', function listening() {
  // Refused at once: its callback runs in pending.
  const client = net.connect(server.address().port, '127.0.0.1');
  client.on('error', () => {});
  client.resume();
});
