'use strict';
// A socket that has data while nothing reads loses its position in the next poll, also if no other socket reads: those
// that start to read later are served in the order in which they start.
const net = require('net');

const pairs = {};
function connect(name, done) {
  const server = net.createServer((socket) => {
    server.close();
    pairs[name].server = socket;
    if (pairs[name].client) done();
  });
  server.listen(0, '127.0.0.1', () => {
    pairs[name] = {};
    const client = net.connect(server.address().port, '127.0.0.1', () => {
      pairs[name].client = client;
      if (pairs[name].server) done();
    });
  });
}

function inTurns(steps) {
  if (steps.length === 0) return;
  setImmediate(() => {
    steps[0]();
    inTurns(steps.slice(1));
  });
}

connect('a', () => connect('b', () => {
  const { a, b } = pairs;
  const sockets = [a.server, b.server, a.client, b.client];
  a.server.on('data', (data) => console.log(`a: ${data}`));
  b.server.on('data', (data) => console.log(`b: ${data}`));
  inTurns([
    () => { for (const socket of sockets) socket.resume(); },
    () => {}, () => {},
    () => { for (const socket of sockets) socket._handle.readStop(); },
    () => {}, () => {},
    () => { b.client.write('first'); a.client.write('second'); },
    () => {}, () => {},
    () => { a.server._handle.readStart(); b.server._handle.readStart(); },
    () => {}, () => {},
    () => { for (const socket of sockets) socket.destroy(); },
  ]);
}));
