'use strict';
// A connection from its beginning to its end: the events of both ends, each in order.
const tls = require('tls');
const { ca, pair } = require('./fixtures/keys');

const events = { client: [], server: [] };
function watch(side, socket, names) {
  for (const name of names) socket.on(name, (value) => events[side].push(Buffer.isBuffer(value) ? `${name} ${value}` : name));
}
const names = ['connect', 'secureConnect', 'secure', 'data', 'end', 'finish', 'close', 'error', 'ready', 'lookup'];
const server = tls.createServer(pair('server'), (socket) => {
  watch('server', socket, names);
  events.server.push(`authorized ${socket.authorized}, encrypted ${socket.encrypted}, name ${socket.servername}`);
  socket.on('data', (data) => socket.end(`you said ${data}`));
  socket.on('close', () => server.close());
});
server.listen(0, '127.0.0.1', () => {
  const client = tls.connect({ port: server.address().port, host: '127.0.0.1', ca });
  watch('client', client, names);
  console.log(client.connecting, client.secureConnecting, client.authorized, client.pending);
  client.on('secureConnect', () => {
    console.log(client.authorized, client.authorizationError, client.secureConnecting, client.alpnProtocol);
    console.log(client.getProtocol(), client.getCipher().name, client.isSessionReused());
    client.write('hello');
  });
});
server.on('close', () => {
  console.log(events.client.join('\n  '));
  console.log(events.server.join('\n  '));
});
