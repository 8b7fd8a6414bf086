'use strict';
// Connections that change to another protocol: Upgrade and CONNECT, on both sides, with and without listeners.
const http = require('http');
const { exchange, rawServer, show } = require('../fixtures/raw');

const log = console.log;
const answer = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
const ask = (extra = '', body = '') =>
  `GET /u HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n${extra}\r\n${body}`;

async function onServer() {
  const server = http.createServer((request, response) => {
    log('request', request.url, request.upgrade, request.headers.upgrade);
    response.sendDate = false;
    response.end('plain');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  log('without a listener');
  show(await exchange(port, [ask(), 'plain', 'GET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n']));
  show(await exchange(port, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'));
  server.on('upgrade', (request, socket, head) => {
    log('upgrade', request.url, request.method, request.upgrade, `${head}`, socket.constructor.name,
      socket.listenerCount('data'), socket.parser, socket === request.socket);
    socket.write(answer);
    socket.on('data', (data) => log('more', `${data}`));
    socket.on('end', () => socket.end('bye'));
    socket.resume();
  });
  server.on('connect', (request, socket, head) => {
    log('connect', request.url, request.method, `${head}`);
    socket.end('HTTP/1.1 200 OK\r\n\r\ntunnel');
  });
  log('with a listener');
  show(await exchange(port, [ask('', 'head'), '101', 'data'], { isHalfClosed: true }));
  show(await exchange(port, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\nhead'));
  await new Promise((resolve) => server.close(resolve));
  const choosy = http.createServer({ shouldUpgradeCallback: (request) => request.url === '/yes' }, (request, response) => {
    response.sendDate = false;
    response.end('not upgraded');
  });
  choosy.on('upgrade', (request, socket) => socket.end(answer));
  await new Promise((resolve) => choosy.listen(0, '127.0.0.1', resolve));
  show(await exchange(choosy.address().port, ask('', '').replace('/u', '/yes')));
  show(await exchange(choosy.address().port,
    [ask(), 'not upgraded', 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n']));
  choosy.close();
}

function onClient(text, options, events) {
  return new Promise((resolve) => {
    rawServer([text], (server, port) => {
      const request = http.request({ port, host: '127.0.0.1', agent: false, ...options });
      for (const event of events) {
        request.on(event, (response, socket, head) => {
          log(event, response.statusCode, response.headers, `${head}`, socket._httpMessage, request.destroyed);
          socket.on('data', (data) => log('more', `${data}`));
          socket.on('close', () => log('socket close'));
          socket.end();
        });
      }
      request.on('response', (response) => {
        log('response', response.statusCode);
        response.resume();
      });
      request.on('error', (error) => log('error', error.code, error.message));
      request.on('close', () => {
        log('close', request.destroyed);
        server.close(resolve);
      });
      request.end();
    });
  });
}

(async () => {
  await onServer();
  const upgrade = { headers: { Connection: 'Upgrade', Upgrade: 'x' } };
  await onClient(`${answer}head`, upgrade, ['upgrade']);
  await onClient(answer, upgrade, []);
  await onClient('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', upgrade, ['upgrade']);
  await onClient('HTTP/1.1 200 OK\r\n\r\nhead', { method: 'CONNECT', path: 'a:1' }, ['connect']);
  await onClient('HTTP/1.1 407 No\r\nContent-Length: 3\r\n\r\nabc', { method: 'CONNECT', path: 'a:1' }, ['connect']);
  await onClient('HTTP/1.1 200 OK\r\n\r\n', { method: 'CONNECT', path: 'a:1' }, []);
})();
