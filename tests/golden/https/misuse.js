'use strict';
// Peers that do not speak TLS, options of servers, and closing.
const http = require('http');
const https = require('https');
const net = require('net');
const { ca, pair } = require('../tls/fixtures/keys');

for (const options of [1, 'text', { key: 1 }, { ALPNProtocols: ['a'], ALPNCallback() {} }]) {
  try { https.createServer(options); } catch (error) { console.log(error.code, error.message); }
}
const server = https.createServer(pair('server'), (request, response) => response.end('hello'));
server.on('clientError', (error, socket) => { console.log('clientError', error.code); socket.destroy(); });
const plain = http.createServer((request, response) => response.end('plain'));

const failure = (request) => new Promise((resolve) => {
  request.on('error', (error) => resolve(error.code));
  request.on('response', (response) => { response.resume(); response.on('end', () => resolve(response.statusCode)); });
});
server.listen(0, '127.0.0.1', () => plain.listen(0, '127.0.0.1', async () => {
  const at = (which) => ({ host: '127.0.0.1', port: which.address().port, ca, agent: false });
  console.log('http to https', await failure(http.get(at(server))));
  console.log('https to http', await failure(https.get(at(plain))));
  console.log('https to https', await failure(https.get(at(server))));
  const idle = net.connect(server.address().port, '127.0.0.1');
  await new Promise((resolve) => server.once('connection', resolve));
  const kept = new https.Agent({ keepAlive: true });
  console.log('kept', await failure(https.get({ ...at(server), agent: kept })));
  idle.on('close', () => console.log('idle closed'));
  server.close(() => { console.log('server closed'); plain.close(); });
  server.closeAllConnections();
  idle.destroy();
  kept.destroy();
}));
