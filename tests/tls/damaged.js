'use strict';
// Connections through a proxy that damages, splits, truncates and resets them, with sockets that are used and destroyed
// in each event. Everything must close, and nothing may throw. The argument is a seed.
const assert = require('assert');
const net = require('net');
const tls = require('tls');
const { ca, pair } = require('../golden/tls/fixtures/keys');

let state = Number(process.argv[2] ?? 1);
function random(limit) {
  state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
  return state % limit;
}
const ignore = () => {};
const events = ['secureConnect', 'data', 'session', 'keylog', 'secure', 'connect', 'OCSPResponse'];
const actions = [
  (socket) => socket.destroy(),
  (socket) => socket.end(),
  (socket) => socket.write('x'),
  (socket) => socket._destroySSL(),
  (socket) => socket.resetAndDestroy(),
  (socket) => socket.pause(),
];

function pass(from, to) {
  from.on('data', (data) => {
    switch (random(12)) {
      case 0:
        data[random(data.length)] ^= 1 << random(8);
        break;
      case 1:
        to.end(data.subarray(0, random(data.length)));
        return;
      case 2:
        from.destroy();
        return;
      case 3:
        from.resetAndDestroy();
        return;
      case 4:
        for (const byte of data.subarray(0, 50)) to.write(Buffer.of(byte));
        data = data.subarray(50);
        break;
    }
    to.write(data);
  });
  from.on('end', () => to.end());
  from.on('error', ignore);
  from.on('close', () => to.destroy());
}

const server = tls.createServer(pair('server'), (socket) => {
  socket.on('error', ignore);
  socket.pipe(socket);
  if (random(3) === 0) socket.renegotiate({}, ignore);
});
server.on('tlsClientError', (error, socket) => { if (random(2) === 0) socket.destroy(); });
server.on('newSession', (id, session, callback) => (random(2) === 0 ? setImmediate(callback) : callback()));
server.on('resumeSession', (id, callback) => setImmediate(callback, null, random(2) === 0 ? Buffer.alloc(100) : null));

const proxy = net.createServer((near) => {
  const far = net.connect(server.address().port, '127.0.0.1');
  pass(near, far);
  pass(far, near);
});

function attempt() {
  return new Promise((resolve) => {
    const client = tls.connect({
      port: proxy.address().port, host: '127.0.0.1', ca, maxVersion: random(2) === 0 ? 'TLSv1.2' : 'TLSv1.3',
      requestOCSP: random(2) === 0,
    });
    const event = events[random(events.length + 2)];
    if (event !== undefined) client.on(event, () => actions[random(actions.length)](client));
    client.on('secureConnect', () => client.end(Buffer.alloc(random(300_000))));
    client.on('error', ignore);
    client.on('close', resolve);
    client.resume();
    client.setTimeout(200, () => client.destroy());
  });
}

server.listen(0, '127.0.0.1', () => proxy.listen(0, '127.0.0.1', async () => {
  for (let i = 0; i < 200; i++) await attempt();
  // The proxy's connections may outlive those of the server, so wait for both.
  await Promise.all([proxy, server].map((each) => new Promise((resolve) => each.close(resolve))));
  const sockets = process._getActiveHandles().filter((handle) => handle instanceof net.Socket && !handle._type);
  assert.deepStrictEqual(sockets, []);
  console.log('all closed');
}));
