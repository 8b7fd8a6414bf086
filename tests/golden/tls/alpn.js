'use strict';
// The choice of a protocol (ALPN).
const tls = require('tls');
const { ca, pair } = require('./fixtures/keys');

async function attempt(title, serverOptions, ALPNProtocols) {
  const server = tls.createServer({ ...pair('server'), ...serverOptions }, (socket) => {
    console.log(`${title}: server ${socket.alpnProtocol}`);
    socket.end();
  });
  server.on('tlsClientError', (error) => console.log(`${title}: tlsClientError ${error.code}`));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  await new Promise((resolve) => {
    const client = tls.connect({ port: server.address().port, host: '127.0.0.1', ca, ALPNProtocols });
    client.on('secureConnect', () => console.log(`${title}: client ${client.alpnProtocol}`));
    client.on('error', (error) => console.log(`${title}: client ${error.code}`));
    client.on('close', resolve);
    client.resume();
  });
  await new Promise((resolve) => server.close(resolve));
}

(async () => {
  await attempt('none', {}, undefined);
  await attempt('only client', {}, ['h2', 'http/1.1']);
  await attempt('server first', { ALPNProtocols: ['b', 'a'] }, ['a', 'b', 'c']);
  await attempt('bytes', { ALPNProtocols: Buffer.from('\x01b\x01a') }, new Uint8Array([1, 97]));
  await attempt('nothing in common', { ALPNProtocols: ['x'] }, ['a']);
  await attempt('callback', {
    ALPNCallback({ servername, protocols }) { console.log(servername, protocols); return protocols[1]; },
  }, ['a', 'long name', 'c']);
  await attempt('callback refuses', { ALPNCallback() {} }, ['a']);
  await attempt('callback invents', { ALPNCallback() { return 'z'; } }, ['a']);
  await attempt('callback throws', { ALPNCallback() { throw new Error('no'); } }, ['a']);
  for (const list of [['x'.repeat(256)], ['a', 'bc'], new DataView(new ArrayBuffer(3)), 'text']) {
    const out = {};
    try {
      tls.convertALPNProtocols(list, out);
      console.log(out);
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
  try {
    tls.createServer({ ALPNProtocols: ['a'], ALPNCallback() {} });
  } catch (error) {
    console.log(error.code);
  }
})();
