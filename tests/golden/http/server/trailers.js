'use strict';
// Trailers in both directions, and chunked bodies.
const http = require('http');
const { exchange, show } = require('../fixtures/raw');

const log = console.log;
const server = http.createServer((request, response) => {
  const parts = [];
  log('before', request.trailers, request.rawTrailers, request.complete);
  request.on('data', (data) => parts.push(`${data}`));
  request.on('end', () => {
    log(parts, request.complete, request.trailers, request.trailersDistinct, request.rawTrailers);
    response.sendDate = false;
    response.writeHead(200, request.httpVersion === '1.0' ? {} : { Trailer: 'X-T' });
    response.write('first');
    response.addTrailers({ 'X-T': 'a', 'X-U': ['b', 'c'] });
    response.end();
  });
});

function client(port, body) {
  return new Promise((resolve) => {
    const request = http.request({ port, host: '127.0.0.1', method: 'PUT', agent: false });
    request.on('response', (response) => {
      response.on('data', (data) => log('data', `${data}`));
      response.on('end', () => {
        log(response.trailers, response.rawTrailers, response.headers.trailer);
        resolve();
      });
    });
    for (const part of body) request.write(part);
    request.addTrailers([['X-V', 'd'], ['X-V', 'e'], ['Set-Cookie', ['f', 'g']]]);
    request.end();
  });
}

server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  await client(port, ['one', Buffer.from('two'), new Uint8Array([51]), 'ö', 'ff']);
  await client(port, []);
  show(await exchange(port, 'PUT / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n' +
    'A\r\n0123456789\r\n1 ;x\r\n0\r\n000000\r\nSet-Cookie: a\r\nset-cookie: b\r\nHost: c\r\nX-W: 1\r\nX-w: 2\r\n\r\n'));
  show(await exchange(port, 'PUT / HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc'));
  try {
    const response = new http.ServerResponse({ method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 });
    response.writeHead(200, { 'Trailer': 'x', 'Content-Length': 1 });
  } catch (error) {
    log(error.code, error.message);
  }
  server.close();
});
