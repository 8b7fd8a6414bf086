'use strict';
// Sockets that are destroyed in each of their events: after that there is only 'close'.
const tls = require('tls');
const { ca, pair } = require('./fixtures/keys');

const names = ['connect', 'secure', 'secureConnect', 'session', 'keylog', 'data', 'end', 'close'];

async function attempt(side, event, maxVersion) {
  const log = [];
  const watch = (socket, isWatched) => {
    socket.on('error', () => {});
    socket.resume();
    if (!isWatched) return;
    for (const name of names) {
      socket.on(name, () => {
        if (socket.destroyed) log.push(name);
        if (name === event && !socket.destroyed) socket.destroy();
      });
    }
  };
  const server = tls.createServer({ ...pair('server'), maxVersion }, (socket) => {
    watch(socket, side === 'server');
    socket.write('data');
  });
  server.on('tlsClientError', () => {});
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = tls.connect({ port: server.address().port, host: '127.0.0.1', ca }, () => client.write('more'));
  watch(client, side === 'client');
  client.on('close', () => server.close());
  await new Promise((resolve) => server.on('close', resolve));
  console.log(side, event, maxVersion, log.join());
}

(async () => {
  for (const version of ['TLSv1.2', 'TLSv1.3']) {
    for (const event of ['connect', 'secure', 'secureConnect', 'session', 'keylog', 'data']) await attempt('client', event, version);
    await attempt('server', 'data', version);
  }
})();
