'use strict';
// A server that waits for clients does not stop the clock.
const net = require('net');
const server = net.createServer(() => {}).listen(0, '127.0.0.1', async () => {
  const start = Date.now();
  for (let i = 0; i < 10; i++) await new Promise((resolve) => { setTimeout(resolve, 3600000); });
  console.log(Date.now() - start);
  server.close(() => console.log('closed', Date.now() - start));
});
process.on('SIGUSR2', () => {});
