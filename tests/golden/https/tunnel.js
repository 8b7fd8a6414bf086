'use strict';
// Requests of an agent through a proxy, which it asks for a tunnel.
const http = require('http');
const https = require('https');
const net = require('net');
const { ca, pair } = require('../tls/fixtures/keys');

const server = https.createServer(pair('server'), (request, response) => response.end(`hello ${request.url}`));
const proxy = http.createServer();
let isOpen = true;
proxy.on('connect', (request, socket) => {
  console.log('CONNECT', Boolean(request.headers['proxy-authorization']), request.headers.host === request.url);
  if (!isOpen) {
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    return;
  }
  const { hostname, port } = new URL(`http://${request.url}`);
  const to = net.connect(port, hostname, () => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    to.pipe(socket).pipe(to);
  });
  for (const one of [to, socket]) one.on('error', () => {});
});

function get(agent) {
  return new Promise((resolve) => {
    const request = https.get({ host: '127.0.0.1', port: server.address().port, path: '/x', agent, ca }, (response) => {
      response.setEncoding('utf8');
      response.on('data', (text) => console.log(text));
      response.on('end', resolve);
    });
    request.on('error', (error) => { console.log(error.code, error.statusCode); resolve(); });
  });
}
server.listen(0, '127.0.0.1', () => proxy.listen(0, '127.0.0.1', async () => {
  const proxyEnv = { HTTPS_PROXY: `http://user:secret@127.0.0.1:${proxy.address().port}` };
  const agent = new https.Agent({ proxyEnv });
  await get(agent);
  isOpen = false;
  await get(agent);
  await get(new https.Agent({ proxyEnv: { ...proxyEnv, NO_PROXY: '127.0.0.1' } }));
  server.close();
  proxy.close();
}));
