'use strict';
// The first bytes of requests: how addresses and options are combined, and which header fields are added.
const http = require('http');
const net = require('net');

const log = console.log;
const agents = { 'keep-alive': new http.Agent({ keepAlive: true }), 'closing': new http.Agent(), 'limited': new http.Agent({ maxSockets: 1 }) };

// The bytes that a request sends at once.
function bytesOf(input, options, write = (request) => request.end()) {
  const { promise, resolve } = Promise.withResolvers();
  let text = '';
  let request;
  const server = net.createServer((socket) => {
    socket.setEncoding('latin1');
    socket.on('data', (data) => {
      text += data;
      if (text.length === request.socket.bytesWritten) setImmediate(() => request.destroy());
    });
    socket.on('close', () => server.close(() => resolve(text)));
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    const own = { createConnection: () => net.connect(port, '127.0.0.1'), ...options };
    if (own.agent) own.agent.createConnection = own.createConnection;
    try {
      request = input === undefined ? http.request(own) : http.request(input, own);
      request.on('error', (error) => error.code === 'ECONNRESET' || log('error', error.code, error.message));
      write(request);
    } catch (error) {
      log(error.name, error.code, error.message);
      server.close(() => resolve(''));
    }
  });
  return promise;
}

async function show(...args) {
  const text = await bytesOf(...args);
  if (text !== '') log(text.split('\r\n').map((line) => `  | ${line}`).join('\n'));
}

(async () => {
  log('# addresses');
  for (const input of ['http://example.org', 'http://example.org:80/a?b=c#d', 'http://example.org:8080/\u00e4 b',
    'http://user:p%40ss@example.org/', 'http://[::1]:81/x', new URL('http://example.org/url?q')]) {
    log(`${input}`);
    await show(input);
  }
  await show('http://example.org/one', { path: '/two', headers: { 'X-A': 1 }, host: 'other', port: 99 });
  await show({ hostname: 'a.example', host: 'b.example', path: '/p' });
  await show(undefined, { host: '::1', port: 8080, auth: 'a:b', path: '*' });
  await show(undefined, { defaultPort: 8080, port: 8080 });
  await show(undefined, { setHost: false });
  await show(undefined, { setDefaultHeaders: false, method: 'POST' }, (request) => request.end('abc'));

  log('# methods and bodies');
  for (const method of ['GET', 'DELETE', 'OPTIONS', 'HEAD', 'POST', 'put', 'QUERY', 'X-OWN']) {
    log(method);
    await show(undefined, { method });
    await show(undefined, { method }, (request) => request.end('abc'));
    await show(undefined, { method }, (request) => {
      request.write('abc');
      request.end('def');
    });
  }
  await show(undefined, { method: 'POST', headers: { 'Content-Length': 6 } }, (request) => {
    request.write('abc');
    request.end('def');
  });

  log('# header fields');
  for (const headers of [
    { Host: 'own' }, { 'Connection': 'close' }, { 'connection': 'Upgrade', 'Upgrade': 'x' }, { 'X': ['a', 'b'], 'Cookie': ['c', 'd'] },
    ['Host', 'list', 'X', 'a', 'X', 'b'], [['Host', 'pairs'], ['X', 'a']], { Expect: '100-continue' }, { Authorization: 'own' },
  ]) {
    await show(undefined, { headers, auth: 'x:y' });
  }
  for (const name of Object.keys(agents)) {
    log(name);
    await show('http://example.org/', { agent: agents[name] });
  }
  await show(undefined, { uniqueHeaders: ['x'], headers: { 'X': ['a', 'b'], 'Y': ['a', 'b'] } });

  log('# later');
  await show(undefined, { path: '/first' }, (request) => {
    request.path = '/changed';
    request.setHeader('x-late', 'a');
    request.flushHeaders();
    log(request.path, request.method, request.host, request.protocol, request.headersSent, request.getHeaders());
    log(request.reusedSocket, request.aborted, request.finished, request.maxHeadersCount, request.socketPath);
  });
  await show(undefined, { method: 'POST' }, (request) => {
    request.setNoDelay(true);
    request.setSocketKeepAlive(true, 1000);
    request.write('a', 'utf8', () => log('written'));
    request.write(Buffer.from('b'));
    request.write('63', 'hex');
    request.end('ZA==', 'base64', () => log('ended'));
  });
})();
