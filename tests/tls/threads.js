'use strict';
// Threads that are stopped at any point of a handshake or a transfer.
const tls = require('tls');
const { Worker, isMainThread, workerData } = require('worker_threads');
const { ca, pair } = require('../golden/tls/fixtures/keys');

function connectAll(port) {
  for (let i = 0; i < 20; i++) {
    const client = tls.connect({ port, host: '127.0.0.1', ca }, () => client.write(Buffer.alloc(1_000_000)));
    client.on('error', () => {});
    client.resume();
  }
}

async function stopAll(port) {
  for (let i = 0; i < 20; i++) {
    const worker = new Worker(__filename, { workerData: port });
    await new Promise((resolve) => worker.on('online', resolve));
    await new Promise((resolve) => setTimeout(resolve, i));
    await worker.terminate();
  }
}

if (isMainThread) {
  const server = tls.createServer(pair('server'), (socket) => {
    socket.on('error', () => {});
    socket.pipe(socket);
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1', async () => {
    await stopAll(server.address().port);
    server.close(() => console.log('all stopped'));
  });
} else {
  connectAll(workerData);
}
