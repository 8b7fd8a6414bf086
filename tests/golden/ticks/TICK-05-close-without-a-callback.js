'use strict';
// A server that is closed has no callback in the closing phase: what a tick that threw has left behind still waits for
// the next one.
const net = require('net');
process.on('uncaughtException', (error) => console.log('caught', error));
const server = net.createServer().listen(0, '127.0.0.1');
setTimeout(setImmediate, 50, () => {
  setImmediate(() => console.log('immediate'));
  queueMicrotask(() => {
    net.connect(1, '127.0.0.1').on('error', ({ code }) => console.log(code));
  });
  server.close(() => { throw 'thrown by a listener'; });
});
