'use strict';
// 1,000 clients that are silent, stop in the middle of a request, or keep an idle connection: the next client is
// served, and when the server closes, nothing is left of them.
const assert = require('node:assert');
const fs = require('node:fs');
const http = require('node:http');
const { checkServed, close, connect, drain, listen, memory, until } = require('../fixtures/peers');

const kCount = 1000;
const limit = Number(/Max open files\s+(\d+)/.exec(fs.readFileSync('/proc/self/limits', 'latin1'))[1]);
if (limit < 2 * kCount + 100) {
  console.log(`skipped: ${limit} descriptors are too few`);
  process.exit(77);
}

const beginnings = [
  '', 'G', 'GET / HTTP/1.1\r\nHost: a\r\nX', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc',
  'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab', 'GET /idle HTTP/1.1\r\nHost: a\r\n\r\n',
];

async function main() {
  let requests = 0;
  const server = http.createServer((request, response) => {
    requests++;
    request.on('error', () => {});
    if (request.method === 'GET') response.end('served');
  });
  server.keepAliveTimeout = 0;
  const port = await listen(server);
  await checkServed(port);
  const before = memory();
  const sockets = [];
  for (let i = 0; i < kCount; i++) sockets.push(await connect(port, beginnings[i % beginnings.length]));
  // Half of the kinds are requests.
  await until(() => requests === 1 + kCount / 2 - (kCount % 6 === 4 ? 1 : 0));
  assert.strictEqual(await new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  }), kCount);
  const each = (memory() - before) / kCount;
  assert.ok(each < 40_000, `${each} bytes for each connection, of both ends`);
  await checkServed(port);
  const ends = Promise.all(sockets.map((socket) => drain(socket)));
  server.closeIdleConnections();
  await close(server);
  const texts = await ends;
  texts.forEach((text, i) => assert.strictEqual(text.startsWith('HTTP/1.1 200 OK'), i % beginnings.length === 5, text));
  console.log('ok');
}
main();
