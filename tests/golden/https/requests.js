'use strict';
// Requests over TLS: keep-alive, sessions that are resumed, and a certificate that is checked.
const https = require('https');
const { ca, pair } = require('../tls/fixtures/keys');

const server = https.createServer(pair('server'), (request, response) => {
  let size = 0;
  request.on('data', (chunk) => { size += chunk.length; });
  request.on('end', () => {
    response.end(`${request.method} ${request.url} ${size} ${request.socket.encrypted} ${request.socket.isSessionReused()}`);
  });
});
const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ca });

function send(path, options, body) {
  return new Promise((resolve) => {
    const request = https.request({ port: server.address().port, host: '127.0.0.1', path, agent, ...options }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => { text += chunk; });
      response.on('end', () => resolve(`${response.statusCode} ${text} reused ${request.reusedSocket} authorized ${response.socket?.authorized}`));
    });
    request.on('error', (error) => resolve(`error ${error.code}`));
    request.end(body);
  });
}

server.listen(0, '127.0.0.1', async () => {
  console.log(await send('/first'));
  console.log(await send('/second', { method: 'POST' }, 'x'.repeat(100_000)));
  agent.destroy();
  console.log(await send('/resumed'));
  agent.destroy();
  console.log(await send('/own', { agent: false, ca }));
  console.log(await send('/unknown', { agent: false }));
  console.log(await send('/accepted', { agent: false, rejectUnauthorized: false }));
  console.log(await send('/name', { agent: false, ca, servername: 'other.test' }));
  console.log(await send('/check', { agent: false, ca, checkServerIdentity: () => new Error('never') }));
  console.log(server.listenerCount('secureConnection'), server instanceof require('tls').Server);
  server.close(() => console.log('closed'));
});
