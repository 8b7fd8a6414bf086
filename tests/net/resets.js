// Peers that reset at any moment, while either side reads, writes, waits or has ended: errors and 'close', once each.
'use strict';
const net = require('node:net');
const assert = require('node:assert');

let state = 12345;
const random = (below) => {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  return (state >> 8) % below;
};
const acts = [
  (socket) => socket.write('x'),
  (socket) => socket.write(Buffer.alloc(1 << random(18))),
  (socket) => socket.end(),
  (socket) => socket.end('bye'),
  (socket) => socket.resetAndDestroy(),
  (socket) => socket.destroy(),
  (socket) => socket.pause(),
  (socket) => socket.resume(),
  (socket) => socket.setTimeout(1 + random(5)),
  (socket) => socket.destroySoon(),
];
let open = 0;
let errors = 0;
function live(socket) {
  open++;
  let isClosed = false;
  let hasFailed = false;
  socket.on('error', (error) => {
    assert.ok(!isClosed && !hasFailed);
    assert.match(error.code, /^(ECONNRESET|EPIPE|ERR_STREAM_WRITE_AFTER_END|ERR_STREAM_DESTROYED|ENOTCONN|ECANCELED)$/);
    hasFailed = true;
    errors++;
  });
  socket.on('close', (hadError) => {
    assert.ok(!isClosed);
    assert.strictEqual(hadError, hasFailed);
    isClosed = true;
    if (--open === 0 && started === total) {
      server.close(() => console.log(`${total} connections, ${errors > 0 ? 'some' : 'no'} errors`));
    }
  });
  socket.on('timeout', () => socket.destroy());
  socket.resume();
  const step = (left) => {
    if (socket.destroyed) return;
    if (left === 0) {
      socket.destroy();
      return;
    }
    acts[random(acts.length)](socket);
    setTimeout(step, random(4), left - 1);
  };
  setTimeout(step, random(4), 1 + random(6));
}
const total = 400;
let started = 0;
const server = net.createServer({ allowHalfOpen: true }, live);
server.listen(0, '127.0.0.1', () => {
  const next = () => {
    for (let i = 0; i < 20; i++, started++) {
      live(net.connect({ port: server.address().port, host: '127.0.0.1', allowHalfOpen: random(2) === 0 }));
    }
    if (started < total) setTimeout(next, 5);
  };
  next();
});
