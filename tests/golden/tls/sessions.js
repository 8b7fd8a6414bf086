'use strict';
// Sessions that are resumed: with tickets, with the server's own store, and not for another server.
const tls = require('tls');
const { ca, pair } = require('./fixtures/keys');

async function attempt(title, version, serverOptions, setUp, second = {}) {
  const server = tls.createServer({ ...pair('server'), maxVersion: version, minVersion: version, ...serverOptions }, (socket) => {
    console.log(`${title}: server reused ${socket.isSessionReused()}`);
    socket.end('x');
  });
  setUp(server);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  let session;
  const once = (options) => new Promise((resolve) => {
    const client = tls.connect({ port: server.address().port, host: '127.0.0.1', ca, session, ...options }, () => {
      console.log(`${title}: client reused ${client.isSessionReused()}, ticket ${Boolean(client.getTLSTicket())}`);
    });
    client.on('session', (value) => { session = value; });
    client.on('error', (error) => console.log(`${title}: ${error.code}`));
    client.on('close', resolve);
    client.resume();
  });
  await once({ session: undefined });
  await once(second);
  await new Promise((resolve) => server.close(resolve));
}

const SSL_OP_NO_TICKET = require('crypto').constants.SSL_OP_NO_TICKET;
(async () => {
  await attempt('tickets 1.3', 'TLSv1.3', {}, () => {});
  await attempt('tickets 1.2', 'TLSv1.2', {}, () => {});
  await attempt('no store', 'TLSv1.2', { secureOptions: SSL_OP_NO_TICKET }, () => {});
  const store = new Map();
  await attempt('store', 'TLSv1.2', { secureOptions: SSL_OP_NO_TICKET }, (server) => {
    server.on('newSession', (id, data, callback) => { store.set(id.toString('hex'), data); setImmediate(callback); });
    server.on('resumeSession', (id, callback) => setImmediate(callback, null, store.get(id.toString('hex'))));
  });
  console.log('stored', store.size);
  await attempt('store fails', 'TLSv1.2', { secureOptions: SSL_OP_NO_TICKET }, (server) => {
    server.on('resumeSession', (id, callback) => callback(new Error('no store')));
    server.on('newSession', (id, data, callback) => callback());
    server.on('tlsClientError', (error) => console.log('tlsClientError', error.message));
  });
  await attempt('other server', 'TLSv1.3', {}, () => {}, { servername: 'localhost' });
  await attempt('no session', 'TLSv1.3', {}, () => {}, { session: Buffer.from('nothing') });
})();
