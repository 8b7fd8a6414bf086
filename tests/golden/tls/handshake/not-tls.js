'use strict';
// A server that does not speak TLS: the reason is in the error, also in that of a write that waited for the handshake.
const net = require('net');
const tls = require('tls');

function attempt(hasWrite, done) {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end('no TLS here, and more bytes than a record has in front'));
  });
  server.listen(0, '127.0.0.1', () => {
    const client = tls.connect({ port: server.address().port, host: '127.0.0.1' });
    const show = ({ message, code, syscall, reason }) => [/wrong version number|packet length too long/.test(message), code, syscall, reason];
    client.on('error', (error) => console.log('error', ...show(error)));
    client.on('close', () => server.close(done));
    if (hasWrite) client.write('text', (error) => console.log('write callback', ...show(error)));
  });
}
attempt(false, () => attempt(true, () => {}));
