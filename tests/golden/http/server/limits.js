'use strict';
// Limits of a server: requests per connection, number and size of header fields; and how it closes connections.
const http = require('http');
const { exchange, show } = require('../fixtures/raw');

const log = console.log;
const listen = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));
const get = (path, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;

async function requests() {
  const server = http.createServer({ keepAliveTimeout: 2000 }, (request, response) => {
    response.sendDate = false;
    response.end(request.url);
  });
  server.maxRequestsPerSocket = 2;
  server.on('dropRequest', (request, socket) => log('dropRequest', request.url, socket === request.socket));
  const port = await listen(server);
  show(await exchange(port, [get('/1'), '/1', get('/2')]));
  show(await exchange(port, get('/1') + get('/2') + get('/3') + get('/4')));
  server.close();
}

async function fields() {
  const server = http.createServer((request, response) => {
    log(request.rawHeaders.length, Object.keys(request.headers).length);
    response.sendDate = false;
    response.end();
  });
  const port = await listen(server);
  const many = (count) => Array.from({ length: count }, (_, i) => `X-${i}: ${i}\r\n`).join('');
  for (const most of [null, 0, 5, 1]) {
    server.maxHeadersCount = most;
    for (const count of [3, 1500]) show(await exchange(port, get('/', `Connection: close\r\n${many(count)}`)));
  }
  server.close();
  for (const maxHeaderSize of [0, 100, 40_000]) {
    const limited = http.createServer({ maxHeaderSize }, (request, response) => {
      response.sendDate = false;
      response.end(`${request.headers.x.length}`);
    });
    const limitedPort = await listen(limited);
    for (const size of [60, 101, 16_000, 17_000, 39_000]) {
      show(await exchange(limitedPort, get('/', `Connection: close\r\nX: ${'a'.repeat(size)}\r\n`)));
    }
    limited.close();
  }
  log(http.maxHeaderSize);
}

// Which connections close() and its relatives end: one that is idle, one whose response is not finished, one that has
// sent part of a request, and one that has sent nothing.
async function closing() {
  for (const method of ['close', 'closeIdleConnections', 'closeAllConnections']) {
    log(method);
    const responses = [];
    const server = http.createServer({ keepAliveTimeout: 0 }, (request, response) => {
      response.sendDate = false;
      if (request.url === '/idle') response.end('idle');
      else responses.push(response);
    });
    const port = await listen(server);
    const sockets = {};
    const gone = [];
    for (const [name, text] of [['idle', get('/idle')], ['busy', get('/busy')], ['part', 'GET / HT'], ['silent', '']]) {
      const socket = sockets[name] = require('net').connect(port, '127.0.0.1');
      socket.on('error', () => {});
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.write(text);
      gone.push(new Promise((resolve) => socket.once('close', () => resolve(name))));
      if (name === 'idle') await new Promise((resolve) => socket.once('data', resolve));
      socket.resume();
    }
    while (responses.length === 0 || server._connections < 4) await new Promise(setImmediate);
    await new Promise((resolve) => setTimeout(resolve, 50));
    server[method](() => log('  callback of', method));
    if (method !== 'close') server.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    log(' ', Object.entries(sockets).map(([name, socket]) => `${name} ${socket.destroyed}`).join(', '));
    responses[0].end('busy');
    for (const socket of Object.values(sockets)) socket.destroy();
    await Promise.all(gone);
  }
}

(async () => {
  await requests();
  await fields();
  await closing();
})();
