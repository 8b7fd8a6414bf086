'use strict';
// Servers that ask for certificates of clients, with a list of revoked ones.
const tls = require('tls');
const { ca, pair, read } = require('./fixtures/keys');

async function attempt(title, serverOptions, clientOptions) {
  const server = tls.createServer({ ...pair('server'), ca, requestCert: true, ...serverOptions }, (socket) => {
    console.log(`${title}: authorized ${socket.authorized}, ${socket.authorizationError}, ${socket.getPeerCertificate().subject?.CN}`);
    socket.end();
  });
  server.on('tlsClientError', (error) => console.log(`${title}: tlsClientError ${error.code}`));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  await new Promise((resolve) => {
    // With TLS 1.2 the client knows of the refusal before it is connected.
    const client = tls.connect({
      port: server.address().port, host: '127.0.0.1', ca, maxVersion: 'TLSv1.2', ...clientOptions,
    });
    client.on('error', (error) => console.log(`${title}: client ${error.code}`));
    client.on('close', resolve);
    client.resume();
  });
  await new Promise((resolve) => server.close(resolve));
}

(async () => {
  await attempt('with', {}, pair('client'));
  await attempt('without', {}, {});
  await attempt('without, allowed', { rejectUnauthorized: false }, {});
  await attempt('unknown, allowed', { rejectUnauthorized: false }, pair('alone'));
  await attempt('revoked', { crl: read('ca-crl.pem'), rejectUnauthorized: false }, pair('revoked'));
  await attempt('not revoked', { crl: read('ca-crl.pem') }, pair('client'));
  await attempt('PKCS 12', {}, { pfx: read('client.p12'), passphrase: 'secret' });
  await attempt('encrypted key', {}, { key: read('client-encrypted-key.pem'), cert: read('client.pem'), passphrase: 'secret' });
  await attempt('list of keys', {}, {
    key: [{ pem: read('client-encrypted-key.pem'), passphrase: 'secret' }], cert: [read('client.pem')],
  });
})();
