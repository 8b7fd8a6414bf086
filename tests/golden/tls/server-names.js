'use strict';
// Servers with certificates for several names: addContext(), SNICallback, and their errors.
const tls = require('tls');
const { ca, pair } = require('./fixtures/keys');

async function attempt(title, setUp, options, names) {
  const server = tls.createServer({ ...pair('server'), ...options }, (socket) => {
    console.log(`${title}: server has ${socket.servername}`);
    socket.end();
  });
  setUp(server);
  server.on('tlsClientError', (error) => console.log(`${title}: tlsClientError ${error.code} ${error.message.split('\n')[0]}`));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  for (const servername of names) {
    await new Promise((resolve) => {
      const client = tls.connect({ port: server.address().port, host: '127.0.0.1', ca, servername, checkServerIdentity() {} }, () => {
        console.log(`${title}: ${servername} is ${client.getPeerCertificate().subject.CN}`);
      });
      client.on('error', (error) => console.log(`${title}: client ${error.code}`));
      client.on('close', resolve);
      client.resume();
    });
  }
  await new Promise((resolve) => server.close(resolve));
}

(async () => {
  await attempt('contexts', (server) => {
    server.addContext('other.test', pair('other'));
    server.addContext('*.wild.test', tls.createSecureContext(pair('client')));
  }, {}, ['other.test', 'OTHER.test', 'a.wild.test', 'a.b.wild.test', 'unknown.test']);
  await attempt('callback', () => {}, {
    SNICallback(name, callback) {
      setImmediate(callback, null, name === 'other.test' ? tls.createSecureContext(pair('other')) : undefined);
    },
  }, ['other.test', 'x.test']);
  await attempt('error', () => {}, { SNICallback(name, callback) { callback(new Error(`no ${name}`)); } }, ['other.test']);
  await attempt('exception', () => {}, { SNICallback(name) { throw new Error(`not ${name}`); } }, ['other.test']);
  await attempt('no context', () => {}, { SNICallback(name, callback) { callback(null, { a: 1 }); } }, ['other.test']);
  try { tls.createServer().addContext(''); } catch (error) { console.log(error.code); }
})();
