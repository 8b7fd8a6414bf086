'use strict';
// Clients of TLS that stop in the middle of a handshake, send garbage, or ask for renegotiation without end: each gets
// an error or is closed, and the next client is served.
const assert = require('node:assert');
const { once } = require('node:events');
const fs = require('node:fs');
const https = require('node:https');
const path = require('node:path');
const tls = require('node:tls');
const { close, connect, drain, host, listen, memory, until } = require('../fixtures/peers');

const keys = path.join(__dirname, '../../golden/tls/fixtures');
const { ca, pair } = require(path.join(keys, 'keys'));
const kCount = 300;

// The first bytes of a client: those of a real one, which are sent to a server that only records them.
async function recordHello() {
  const server = require('node:net').createServer();
  const port = await listen(server);
  const client = tls.connect({ port, host, ca });
  client.on('error', () => {});
  const [socket] = await once(server, 'connection');
  const [hello] = await once(socket, 'data');
  client.destroy();
  socket.destroy();
  server.close();
  await once(server, 'close');
  return hello;
}

async function checkServed(port) {
  const request = https.get({ port, host, ca, agent: false, servername: 'localhost' });
  const [response] = await once(request, 'response');
  let text = '';
  for await (const data of response.setEncoding('utf8')) text += data;
  assert.strictEqual(text, 'served');
}

async function unfinished(port, hello) {
  const before = memory();
  const sockets = [];
  for (let i = 0; i < kCount; i++) {
    const socket = await connect(port);
    socket.write(hello.subarray(0, [0, 1, 5, 100, hello.length][i % 5]));
    sockets.push(socket);
  }
  await checkServed(port);
  const each = (memory() - before) / kCount;
  assert.ok(each < 200_000, `${each} bytes for each handshake`);
  const ends = sockets.map((socket) => drain(socket));
  for (const socket of sockets) socket.end();
  await Promise.all(ends);
}

// Each of them ends the connection with an alert, or with nothing.
async function garbage(port, hello, errors) {
  const changed = Buffer.from(hello);
  changed.fill(0xff, 40, 80);
  const inputs = {
    'HTTP': Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n'),
    'zeros': Buffer.alloc(20_000),
    'a changed hello': changed,
    'a long record': Buffer.concat([Buffer.from([22, 3, 1, 0xff, 0xff]), Buffer.alloc(70_000)]),
    'empty records': Buffer.concat(Array.from({ length: 1000 }, () => Buffer.from([22, 3, 1, 0, 0]))),
    'data before a handshake': Buffer.concat([Buffer.from([23, 3, 3, 0, 5]), Buffer.alloc(5)]),
    'an alert': Buffer.from([21, 3, 3, 0, 2, 2, 40]),
    'a hello after the hello': Buffer.concat([hello, hello]),
    'a change of ciphers': Buffer.concat([hello, Buffer.from([20, 3, 3, 0, 1, 1]), Buffer.alloc(100)]),
  };
  for (const [name, bytes] of Object.entries(inputs)) {
    errors.length = 0;
    const socket = await connect(port);
    const ended = drain(socket);
    socket.write(bytes);
    socket.end();
    await ended;
    await until(() => errors.length > 0);
    assert.strictEqual(errors.length, 1, `${name}: ${errors}`);
    await checkServed(port);
  }
}

// A client of TLS 1.2 may ask three times in ten minutes.
async function renegotiations(port) {
  const client = tls.connect({ port, host, ca, maxVersion: 'TLSv1.2', servername: 'localhost' });
  await once(client, 'secureConnect');
  let count = 0;
  const closed = new Promise((resolve) => client.on('close', resolve));
  client.on('error', () => {});
  client.resume();
  (function again() {
    client.renegotiate({ rejectUnauthorized: true }, (error) => {
      if (error) return;
      count++;
      again();
    });
  })();
  await closed;
  assert.ok(count <= 4, `${count} renegotiations`);
}

async function main() {
  assert.ok(fs.existsSync(path.join(keys, 'ca.pem')));
  const errors = [];
  const server = https.createServer(pair('server'), (request, response) => response.end('served'));
  server.on('tlsClientError', (error) => errors.push(error.code));
  const port = await listen(server);
  const hello = await recordHello();
  await checkServed(port);
  await unfinished(port, hello);
  await garbage(port, hello, errors);
  await renegotiations(port);
  await checkServed(port);
  await close(server);
  console.log('ok');
}
main();
