// listen() binds at once, but a listener that is added after it still gets 'listening': a tick emits the event.
//   ./dev run examples/listening.js
'use strict';
const net = require('node:net');

const server = net.createServer();
server.listen(0);
console.log('listen() has returned; the port is bound:', server.listening);
server.on('listening', () => {
  console.log('listening');
  server.close(() => console.log('closed'));
});
console.log('the listener was added just now');
