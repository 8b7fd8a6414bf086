'use strict';
// Peers that do not speak TLS, stop in the middle, or send damaged records.
const net = require('net');
const tls = require('tls');
const { ca, pair } = require('./fixtures/keys');

const report = (title) => (error) => console.log(title, error.code);

async function toServer(title, bytes, options) {
  const server = tls.createServer({ ...pair('server'), ...options }, () => console.log(title, 'secure?'));
  server.on('tlsClientError', (error, socket) => {
    console.log(`${title}: tlsClientError`, error.code);
    socket.destroy();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = net.connect(server.address().port, '127.0.0.1', () => bytes(socket));
  socket.on('error', () => {});
  socket.resume();
  await new Promise((resolve) => socket.on('close', resolve));
  await new Promise((resolve) => server.close(resolve));
}
async function toClient(title, bytes) {
  const server = net.createServer((socket) => { socket.on('error', () => {}); socket.resume(); bytes(socket); });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  await new Promise((resolve) => {
    const client = tls.connect({ port: server.address().port, host: '127.0.0.1', ca });
    client.on('error', report(`${title}: client`));
    client.on('close', resolve);
  });
  await new Promise((resolve) => server.close(resolve));
}

(async () => {
  await toServer('http', (socket) => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
  await toServer('junk', (socket) => socket.write(Buffer.alloc(100, 0xff)));
  await toServer('end at once', (socket) => socket.end());
  await toServer('half a record', (socket) => socket.end(Buffer.from('1603010100', 'hex')));
  await toServer('oversized record', (socket) => socket.write(Buffer.from('160301ffff01', 'hex')));
  await toServer('time-out', () => {}, { handshakeTimeout: 30 });
  await toClient('http', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await toClient('end at once', (socket) => socket.end());
  await toClient('truncated', (socket) => socket.end(Buffer.from('16030300', 'hex')));
  await toClient('alert', (socket) => socket.end(Buffer.from('15030300020228', 'hex')));
})();
