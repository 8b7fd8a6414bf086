'use strict';
// Nothing, written before the handshake: the socket ends after the handshake, not before.
const tls = require('tls');
const { ca, pair } = require('../fixtures/keys');

const server = tls.createServer(pair('server'), (socket) => {
  socket.resume().on('end', () => console.log('end at the server'));
});
server.on('tlsClientError', (error) => console.log(error.code));
server.listen(0, '127.0.0.1', () => {
  const client = tls.connect({ port: server.address().port, host: '127.0.0.1', ca, checkServerIdentity() {} });
  for (const event of ['connect', 'secureConnect', 'finish', 'end', 'error', 'close']) {
    client.on(event, () => console.log(event));
  }
  client.resume();
  client.end('', () => console.log('end callback'));
  client.on('close', () => server.close());
});
