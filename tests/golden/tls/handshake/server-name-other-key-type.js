'use strict';
// The certificate for a server name replaces the default one, also if its key has another type.
const tls = require('tls');
const { pair } = require('../fixtures/keys');

async function attempt(server, servername, maxVersion) {
  await new Promise((resolve) => {
    const options = { port: server.address().port, host: '127.0.0.1', rejectUnauthorized: false, servername, maxVersion };
    const client = tls.connect(options, () => {
      console.log(servername, maxVersion, client.getPeerCertificate().subject.CN);
      client.end();
    });
    client.resume().on('close', resolve);
  });
}

(async () => {
  for (const [first, second] of [['alone', 'rsa'], ['rsa', 'alone']]) {
    const context = tls.createSecureContext(pair(second));
    const options = { ...pair(first), SNICallback: (name, done) => done(null, name === 'other.test' ? context : undefined) };
    const server = tls.createServer(options, (socket) => socket.resume());
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    for (const version of ['TLSv1.2', 'TLSv1.3']) {
      await attempt(server, 'default.test', version);
      await attempt(server, 'other.test', version);
    }
    await new Promise((resolve) => server.close(resolve));
  }
})();
