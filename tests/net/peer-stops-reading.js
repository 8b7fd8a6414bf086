// A peer that does not read: writing stops at the high-water mark, the connection can be closed at any time, and
// 'drain' is emitted when the peer continues.
'use strict';
const net = require('node:net');
const assert = require('node:assert');

const chunk = Buffer.alloc(64 * 1024);
const server = net.createServer(async (socket) => {
  socket.on('error', (error) => assert.fail(error));
  let accepted = 0;
  let drained;
  socket.on('drain', () => { drained = true; });
  // On a busy machine the kernel moves data to the peer's side a little later, and then accepts more.
  do {
    drained = false;
    while (socket.write(chunk)) accepted += chunk.length;
    accepted += chunk.length;
    assert.ok(accepted < 64 * 1024 * 1024, 'the kernel takes no end');
    assert.strictEqual(socket.writableNeedDrain, true);
    const { writableLength } = socket;
    assert.ok(writableLength <= 2 * chunk.length, `${writableLength} bytes wait`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  } while (drained);
  assert.strictEqual(socket.bytesWritten, accepted);
  client.resume();
  await new Promise((resolve) => socket.once('drain', resolve));
  assert.strictEqual(socket.writableLength, 0);
  // Again, but closed with pending bytes.
  client.pause();
  let outcome;
  while (socket.write(chunk, (error) => { outcome = error; }));
  socket.destroy();
  await new Promise((resolve) => socket.once('close', resolve));
  console.log('given up:', outcome === undefined || outcome === null ? outcome : outcome.code);
  client.destroy();
  server.close();
});
let client;
server.listen(0, '127.0.0.1', () => {
  client = net.connect(server.address().port, '127.0.0.1');
  client.pause();
  client.on('error', () => {});
});
