// flat-memory.js [MiB]: a server pipes a fast source to a slow client. Unread data must stay in the source, not in
// memory. Read buffers are garbage, which V8 collects late; so the test checks that memory does not grow in the second
// half.
'use strict';
const net = require('node:net');
const assert = require('node:assert');
const { Readable } = require('node:stream');

const total = (+process.argv[2] || 64) * 1024 * 1024;
const limit = 48 * 1024 * 1024;
const chunk = Buffer.alloc(64 * 1024, 'x');
let made = 0;
let read = 0;
const most = [0, 0];
const look = () => {
  const half = read * 2 < total ? 0 : 1;
  most[half] = Math.max(most[half], process.memoryUsage().rss);
};

const server = net.createServer((socket) => {
  new Readable({
    read() {
      made += chunk.length;
      this.push(made <= total ? chunk : null);
    },
  }).pipe(socket);
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  let nextPause = 0;
  client.on('data', (data) => {
    read += data.length;
    if (read < nextPause) return;
    nextPause = read + total / 64;
    look();
    // Data in flight is in the kernel's buffers, and a few chunks.
    assert.ok(made - read < 32 * 1024 * 1024, `${made - read} bytes on the way`);
    client.pause();
    setTimeout(() => client.resume(), 5);
  });
  client.on('end', () => {
    look();
    assert.strictEqual(read, total);
    const grown = most[1] - most[0];
    assert.ok(grown < limit, `memory grew by ${grown} bytes`);
    console.log(
      `${total} bytes; memory: ${most.map((bytes) => `${(bytes / 1048576).toFixed(0)} MiB`).join(', then ')}`);
    server.close();
  });
});
