'use strict';
// Secure servers and clients: ALPN, HTTP/1 on the same port, other protocols, origins, and large data both ways.
const http2 = require('http2');
const https = require('https');
const tls = require('tls');
const { ca, pair } = require('../tls/fixtures/keys');

const servername = 'localhost';
function listen(options) {
  const server = http2.createSecureServer({ ...pair('server'), ...options });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
function connect(server, options) {
  return http2.connect(`https://127.0.0.1:${server.address().port}`, { ca, servername, checkServerIdentity() {}, ...options });
}
const end = (server) => new Promise((resolve) => server.on('close', resolve).close());

async function http1() {
  const server = await listen({ allowHTTP1: true });
  server.on('request', (request, response) => {
    console.log(request.httpVersion, request.url, request.socket.alpnProtocol ?? request.socket.encrypted);
    response.end('text');
  });
  await new Promise((resolve) => {
    const options = { port: server.address().port, host: '127.0.0.1', ca, servername, path: '/one', agent: false, checkServerIdentity() {} };
    https.get(options, (response) => {
      console.log(response.statusCode, response.httpVersion);
      response.resume().on('end', resolve);
    });
  });
  await new Promise((resolve) => {
    const client = connect(server);
    const request = client.request({ ':path': '/two' });
    request.on('response', (headers) => console.log(headers[':status'], client.alpnProtocol, client.encrypted));
    request.resume().on('close', () => client.close(resolve));
  });
  await end(server);
}

async function otherProtocols() {
  const server = await listen({ unknownProtocolTimeout: 1000 });
  const ask = (ALPNProtocols) => new Promise((resolve) => {
    const socket = tls.connect({ port: server.address().port, host: '127.0.0.1', ca, servername, ALPNProtocols, checkServerIdentity() {} });
    let text = '';
    socket.on('data', (data) => { text += data; });
    socket.on('error', (error) => console.log(error.code));
    socket.on('close', () => {
      console.log(JSON.stringify(text));
      resolve();
    });
  });
  await ask(undefined);
  server.once('unknownProtocol', (socket) => {
    console.log('unknownProtocol', socket.alpnProtocol);
    socket.end('bye');
  });
  await ask(undefined);
  await ask(['x']);
  await end(server);
}

async function origins() {
  const server = await listen({ origins: ['https://a.example', 'https://b.example:444/path'] });
  server.on('session', (session) => session.origin('https://c.example'));
  const client = connect(server);
  await new Promise((resolve) => {
    let frames = 0;
    client.on('origin', (list) => {
      console.log(list, client.originSet.length);
      if (++frames === 2) resolve();
    });
  });
  await new Promise((resolve) => client.close(resolve));
  console.log(client.originSet);
  await end(server);

  const strict = await listen({ origins: ['https://a.example', 'https://b.example'] });
  const limited = connect(strict, { maxOriginSetSize: 2 });
  await new Promise((resolve) => {
    limited.on('error', (error) => console.log(error.code, error.message));
    limited.on('close', resolve);
  });
  await end(strict);
}

async function largeData() {
  const server = await listen();
  server.on('stream', (stream) => {
    stream.respond();
    stream.pipe(stream);
  });
  const client = connect(server);
  await Promise.all(Array.from({ length: 3 }, (_, i) => new Promise((resolve) => {
    const request = client.request({ ':method': 'POST' });
    let sum = 0;
    request.on('data', (data) => { for (const byte of data) sum += byte; });
    request.on('close', () => {
      console.log(i, sum, request.rstCode);
      resolve();
    });
    for (let k = 0; k < 8; k++) request.write(Buffer.alloc(100_000, i + 1));
    request.end();
  })));
  await new Promise((resolve) => client.close(resolve));
  await end(server);
}

async function failures() {
  const server = await listen();
  server.on('sessionError', (error) => console.log('sessionError', error.code));
  await new Promise((resolve) => {
    const client = connect(server, { ca: undefined });
    client.on('error', (error) => console.log('client', error.code));
    client.request().on('error', (error) => console.log('request', error.code, error.cause?.code));
    client.on('close', resolve);
  });
  await end(server);
  for (const call of [() => http2.createSecureServer(1), () => http2.createSecureServer({ key: 1 })]) {
    try { call(); } catch (error) { console.log(error.code, error.message); }
  }
}

(async () => {
  await http1();
  await otherProtocols();
  await origins();
  await largeData();
  await failures();
})();
