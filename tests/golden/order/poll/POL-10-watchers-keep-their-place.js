'use strict';
// All watchers share one descriptor, which keeps its place among the ready ones while there is no watcher.
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');
const { waitUntilIdle } = require('../../fixtures/idle');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'watch-'));
const server = net.createServer((socket) => {
  server.close();
  fs.watch(folder).close(); // The kernel reports the end of a watch, so the descriptor is ready.
  fs.stat('.', () => {
    // In one batch with the descriptor of the watchers, and behind it.
    console.log('stat');
    const watcher = fs.watch(folder, () => {
      console.log('change');
      watcher.close();
      fs.rmSync(folder, { recursive: true });
    });
    client.write('data');
    fs.writeFileSync(path.join(folder, 'file'), '');
  });
  socket.on('data', () => {
    console.log('data');
    client.destroy();
    socket.destroy();
  });
  waitUntilIdle();
});
let client;
server.listen(0, '127.0.0.1', () => { client = net.connect(server.address().port, '127.0.0.1'); });
