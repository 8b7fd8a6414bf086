'use strict';
// Certificates that a client does not accept, and how it can accept them nevertheless.
const tls = require('tls');
const { ca, pair, read } = require('./fixtures/keys');

async function attempt(title, keys, options) {
  const server = tls.createServer(pair(keys), (socket) => socket.on('error', () => {}));
  server.on('tlsClientError', () => {});
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  await new Promise((resolve) => {
    const client = tls.connect({ port: server.address().port, host: '127.0.0.1', ...options }, () => {
      console.log(`${title}: connected, authorized ${client.authorized}, ${client.authorizationError}`);
      client.end();
    });
    client.on('error', (error) => console.log(`${title}: ${error.code}: ${error.message}`));
    client.on('close', (hadError) => { console.log(`  closed, had error ${hadError}`); resolve(); });
    client.resume();
  });
  await new Promise((resolve) => server.close(resolve));
}

(async () => {
  await attempt('known', 'server', { ca });
  await attempt('unknown authority', 'server', {});
  await attempt('accepted nevertheless', 'server', { rejectUnauthorized: false });
  await attempt('other name', 'other', { ca });
  await attempt('right name', 'other', { ca, servername: 'other.test' });
  await attempt('by itself', 'alone', { ca, servername: 'localhost' });
  await attempt('by itself, trusted', 'alone', { ca: read('alone.pem'), servername: 'localhost' });
  await attempt('expired', 'past', { ca, servername: 'localhost' });
  await attempt('own check', 'other', { ca, checkServerIdentity: (host, { subject }) => new Error(`${host} is ${subject.CN}`) });
  await attempt('intermediate', 'server', { ca: read('middle.pem'), servername: 'localhost' });
  await attempt('partial chain', 'server', { ca: read('middle.pem'), servername: 'localhost', allowPartialTrustChain: true });
})();
