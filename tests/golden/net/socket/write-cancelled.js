'use strict';
// A write that destroy() cuts off ends with ECANCELED, and readers of the socket get that error.
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'golden-'));
const door = path.join(folder, 'socket');
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));

const server = net.createServer((peer) => {
  server.close();
  peer.pause();
  const client = peer.client = clients.shift();
  (async () => {
    try {
      for await (const chunk of client) console.log(chunk.length);
    } catch (error) {
      console.log('iteration', error.code);
    }
    peer.destroy();
  })();
  setImmediate(() => {
    console.log(client.write(Buffer.alloc(10_000_000), (error) => console.log('written', error.code, error.syscall)));
    client.on('close', (hadError) => console.log('close', hadError, client.errored.code));
    client.destroy();
  });
});
const clients = [];
server.listen(door, () => clients.push(net.connect(door)));
