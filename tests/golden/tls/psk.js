'use strict';
// Secrets instead of certificates.
const tls = require('tls');

const secret = Buffer.from('d731ef57be09e5204f0b205b60627028', 'hex');
const base = { ciphers: 'PSK+HIGH', checkServerIdentity() {} };

async function attempt(title, version, serverCallback, clientCallback) {
  const server = tls.createServer({ ...base, maxVersion: version, pskIdentityHint: 'hint', pskCallback: serverCallback }, (socket) => {
    console.log(`${title}: server secure`);
    socket.end('bye');
  });
  server.on('tlsClientError', (error) => console.log(`${title}: tlsClientError ${error.code}`));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  await new Promise((resolve) => {
    const client = tls.connect({ ...base, port: server.address().port, host: '127.0.0.1', pskCallback: clientCallback });
    client.on('secureConnect', () => console.log(`${title}: ${client.getProtocol()}, authorized ${client.authorized}`));
    client.on('error', (error) => console.log(`${title}: client ${error.code}`));
    client.on('close', resolve);
    client.resume();
  });
  await new Promise((resolve) => server.close(resolve));
}

const known = (socket, identity) => (identity === 'me' ? secret : undefined);
(async () => {
  for (const version of ['TLSv1.2', 'TLSv1.3']) {
    await attempt('right', version, known, (hint) => { console.log('hint', hint); return { psk: secret, identity: 'me' }; });
    await attempt('as object', version, () => ({ psk: secret }), () => ({ psk: secret, identity: 'any' }));
    await attempt('client has none', version, known, () => undefined);
    await attempt('client is wrong', version, known, () => ({ psk: 'text', identity: 'me' }));
    await attempt('client throws', version, known, () => { throw new TypeError('no'); });
  }
})();
