'use strict';
// Programs that use the handles below sockets and servers, replace parts of them, or make their own.
const net = require('node:net');
const { once } = require('node:events');

function attempt(name, fn) {
  try {
    console.log(name, fn());
  } catch (error) {
    console.log(name, '|', error.name, error.code, error.message);
  }
}

async function connections() {
  const server = net.createServer({ keepAlive: true, keepAliveInitialDelay: 1000, noDelay: true }, (socket) => {
    socket.on('error', () => {});
    socket._handle.setKeepAlive = (...args) => console.log('setKeepAlive', args[0], args[1]);
    socket._handle.setNoDelay = (...args) => console.log('setNoDelay', ...args);
    console.log('connection');
    socket.setKeepAlive(true, 1000);
    socket.setKeepAlive(true, 2000);
    socket.setNoDelay(true);
    socket.setNoDelay(false);
    socket.destroy();
    server.close();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  console.log(server._connectionKey);
  const { onconnection } = server._handle;
  server._handle.onconnection = function (status, handle) {
    console.log('onconnection', this === server._handle, status, typeof handle);
    handle.setKeepAlive = (...args) => console.log('first setKeepAlive', args[0], args[1]);
    handle.setNoDelay = (...args) => console.log('first setNoDelay', ...args);
    onconnection.call(this, status, handle);
  };
  const client = net.connect(server.address().port, '127.0.0.1');
  client.on('error', () => {});
  await once(server, 'close');
}

async function names() {
  const server = net.createServer().listen(0);
  await once(server, 'listening');
  console.log(server._connectionKey);
  const out = {};
  console.log(server._handle.getsockname(out), out.port === server.address().port, Object.keys(out));
  server._handle.getsockname = () => -1;
  attempt('address', () => server.address());
  server.close();
}

function ownHandles() {
  const calls = [];
  const socket = new net.Socket({ handle: { setNoDelay: (on) => calls.push(on), readStart() {} } });
  for (const value of [undefined, true, 'x', 0, '', 1]) socket.setNoDelay(value);
  console.log('setNoDelay', calls, socket.destroyed);
  const keeping = new net.Socket({ handle: { setKeepAlive: (on, delay) => calls.push([on, delay]), readStart() {} } });
  keeping.setKeepAlive(true, 3000).setKeepAlive(true, 3000).setKeepAlive(false);
  console.log('setKeepAlive', calls.slice(3));
  const without = new net.Socket({ handle: { setNoDelay: null, readStart() {} } });
  console.log('without', without.setNoDelay(true) === without, without.setKeepAlive(true) === without);
}

function paths() {
  const path = `/tmp/${'x'.repeat(300)}`;
  net.createServer().listen(path).on('error', (error) => console.log('listen', error.code, error.errno, error.port));
  net.connect(path).on('error', (error) => console.log('connect', error.code, error.errno, error.message.slice(-30)));
}

(async () => {
  await connections();
  await names();
  ownHandles();
  paths();
})();
