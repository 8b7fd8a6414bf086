// A peer that takes nothing: writing stops at the high-water mark, the connection can be given up at any time, and its
// 'drain' comes when the peer goes on.
'use strict';
const net = require('node:net');
const assert = require('node:assert');

const chunk = Buffer.alloc(64 * 1024);
const server = net.createServer(async (socket) => {
  socket.on('error', (error) => assert.fail(error));
  let accepted = 0;
  let drained;
  socket.on('drain', () => { drained = true; });
  // Where the machine is busy the kernel hands over to the peer's side a little later, and takes some more then.
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
  // Once more, and this time it is given up with bytes waiting.
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
