'use strict';
// A client sends 30,000 requests without reading a response: the server stops reading, and goes on when the client
// reads. Every request gets one response, in order.
const assert = require('node:assert');
const http = require('node:http');
const { checkServed, close, connect, listen, settled } = require('../fixtures/peers');

const kCount = 30_000;
const kBody = 'b'.repeat(1000);

async function flood(port, seen) {
  const socket = await connect(port);
  let sent = 0;
  (function send() {
    while (sent < kCount && socket.write(`GET /${sent++} HTTP/1.1\r\nHost: a\r\n\r\n`));
    if (sent < kCount) socket.once('drain', send);
  })();
  // Both buffers of the kernel are full: about 6 MB, and what the server and a chunk of requests have.
  const handled = await settled(() => seen.count);
  assert.ok(handled < kCount, `${handled} requests were handled, and no response was read`);
  return socket;
}

async function readAll(socket) {
  let text = '';
  let responses = 0;
  await new Promise((resolve) => socket.on('data', (data) => {
    text += data;
    for (let end; (end = text.indexOf(kBody)) !== -1;) {
      assert.ok(text.slice(0, end).endsWith(`\r\n\r\n/${responses}:`), text.slice(0, end));
      responses++;
      text = text.slice(end + kBody.length);
    }
    if (responses === kCount) resolve();
  }));
  assert.strictEqual(text, '');
}

async function main() {
  const seen = { count: 0 };
  let isLate = false;
  const server = http.createServer((request, response) => {
    seen.count++;
    const answer = () => response.end(`${request.url}:${kBody}`);
    if (isLate && seen.count % 3 === 0) setImmediate(answer);
    else answer();
  });
  const port = await listen(server);
  for (isLate of [false, true]) {
    seen.count = 0;
    const socket = await flood(port, seen);
    await checkServed(port, `/:${kBody}`);
    seen.count--;
    await readAll(socket);
    assert.strictEqual(seen.count, kCount);
    socket.destroy();
  }
  await close(server);
  console.log('ok');
}
main();
