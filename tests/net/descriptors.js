// Every connection releases its descriptor, however it ends.
'use strict';
const net = require('node:net');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const assert = require('node:assert');

const open = () => fs.readdirSync('/proc/self/fd').length;
const closed = (socket) => new Promise((resolve) => socket.on('close', resolve));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const endings = {
  end: (socket) => socket.end(),
  destroy: (socket) => socket.destroy(),
  error: (socket) => socket.destroy(new Error('mine')),
  reset: (socket) => socket.resetAndDestroy(),
  write: (socket) => {
    socket.write(Buffer.alloc(1 << 20));
    socket.destroy();
  },
  late: (socket) => setTimeout(() => socket.end('late'), 5),
};

async function connections(where, names) {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.resume();
  });
  await new Promise((resolve) => server.listen(where, resolve));
  const target = typeof where === 'string' ? { path: where } : { port: server.address().port, host: '127.0.0.1' };
  for (const name of names) {
    for (const moment of ['at once', 'connected', 'later']) {
      const all = [];
      for (let i = 0; i < 10; i++) {
        const socket = net.connect(target);
        socket.on('error', () => {});
        socket.resume();
        all.push(closed(socket));
        if (moment === 'at once') endings[name](socket);
        else if (moment === 'connected') socket.on('connect', () => endings[name](socket));
        else socket.on('connect', () => setTimeout(() => endings[name](socket), 10));
      }
      await Promise.all(all);
    }
  }
  await new Promise((resolve) => server.close(resolve));
}

(async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'net-'));
  const all = Object.keys(endings);
  await connections({ port: 0, host: '127.0.0.1' }, ['end']);
  const before = open();
  await connections({ port: 0, host: '127.0.0.1' }, all);
  await connections(path.join(folder, 'socket'), all.filter((name) => name !== 'reset'));
  const refused = [];
  for (let i = 0; i < 20; i++) {
    refused.push(closed(net.connect(1, '127.0.0.1').on('error', () => {})));
    refused.push(closed(net.connect(path.join(folder, 'nobody')).on('error', () => {})));
  }
  await Promise.all(refused);
  await pause(20);
  fs.rmSync(folder, { recursive: true });
  assert.strictEqual(open(), before);
  console.log('none is left');
})();
