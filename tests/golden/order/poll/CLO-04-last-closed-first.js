'use strict';
// Close callbacks of one turn run in reverse order of closing.
const net = require('net');
const { exec } = require('child_process');
const { waitUntilIdle } = require('../../fixtures/idle.js');

function sockets(next) {
  const server = net.createServer((socket) => socket.resume()).listen(0, '127.0.0.1', () => {
    const all = [];
    for (const name of ['a', 'b', 'c']) {
      const socket = net.connect(server.address().port, '127.0.0.1', () => {
        all.push(socket);
        if (all.length < 3) return;
        // In a callback of their own, and in an order of our own.
        setImmediate(() => {
          all.sort((left, right) => (left.name < right.name ? -1 : 1));
          for (const one of all) one.destroy();
          server.close(() => { console.log('server'); next(); });
        });
      });
      socket.name = name;
      socket.on('close', () => console.log('close', name));
    }
  });
}

function servers(next) {
  const all = ['d', 'e', 'f'].map((name) => net.createServer().listen(0, '127.0.0.1').on('close', () => console.log(name)));
  setImmediate(() => {
    for (const server of all) server._handle.close(() => console.log('handle'));
    setImmediate(() => setImmediate(next));
  });
}

// Children that ended before one poll.
function children() {
  for (const name of ['A', 'B', 'C']) exec(`echo ${name}`, (error, out) => process.stdout.write(out));
  waitUntilIdle();
}

sockets(() => servers(children));
