// descriptors: 64
// A server that has run out of descriptors closes the waiting connections, without an error, and continues.
'use strict';
const net = require('node:net');
const assert = require('node:assert');

const server = net.createServer((socket) => {
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
  socket.on('error', () => {});
  socket.end('hello');
  socket.resume();
});
const sockets = new Set();
server.on('error', (error) => assert.fail(error));

// Descriptors that only use up the limit.
const fs = require('node:fs');
const fillers = [];
function fill(keep) {
  try {
    for (;;) fillers.push(fs.openSync('/dev/null'));
  } catch (error) {
    assert.strictEqual(error.code, 'EMFILE');
  }
  for (let i = 0; i < keep; i++) fs.closeSync(fillers.pop());
}

server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const ask = () => new Promise((resolve) => {
    const client = net.connect(port, '127.0.0.1');
    let text = '';
    client.on('data', (data) => { text += data; });
    client.on('error', (error) => { text = error.code; });
    client.on('close', () => resolve(text));
  });
  assert.strictEqual(await ask(), 'hello');
  // Until the server's end is closed, too.
  while (sockets.size > 0) await new Promise((resolve) => setImmediate(resolve));
  // Room for the client's end, none for the server's.
  fill(1);
  assert.strictEqual(await ask(), '');
  for (let i = 0; i < 10; i++) fs.closeSync(fillers.pop());
  assert.strictEqual(await ask(), 'hello');
  // None at all: the client gets an error.
  fill(0);
  assert.strictEqual(await ask(), 'EMFILE');
  while (fillers.length > 0) fs.closeSync(fillers.pop());
  assert.strictEqual(await ask(), 'hello');
  console.log('served on');
  server.close();
});
