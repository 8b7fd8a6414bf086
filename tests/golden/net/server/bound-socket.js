'use strict';
// net.BoundSocket: bound at once, and adopted by one server or one socket.
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { once } = require('node:events');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bound-'));
let ports = new Map();
// Ports and folders differ from run to run.
function hide(text) {
  for (const [port, name] of ports) text = text.replaceAll(String(port), name);
  return text.replaceAll(folder, 'FOLDER');
}
function show(...values) {
  console.log(hide(values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' ')));
}
function attempt(name, fn) {
  try {
    const value = fn();
    show(name, value instanceof net.BoundSocket ? (value.close(), 'bound') : value === undefined ? 'undefined' : value);
  } catch (error) {
    show(name, '|', error.name, error.code, error.syscall ?? '', error.address ?? '', error.message.slice(0, 120).split('\n')[0]);
  }
}
function noted(bound, name) {
  ports.set(bound.address().port, name);
  return bound;
}

function misuse() {
  for (const options of [0, null, 'x', [], { host: 1 }, { host: 'localhost' }, { host: '' }, { port: -1 }, { port: 'x' }, { port: 65536 },
    { ipv6Only: 1 }, { reusePort: 'yes' }, { path: 1 }, { path: 'x', port: 0 }, { path: 'x', host: null },
    { path: 'x', reusePort: false }, { host: '192.0.2.1' }, { host: '0.0.0.0', ipv6Only: true }]) {
    attempt(`new BoundSocket(${JSON.stringify(options)})`, () => new net.BoundSocket(options));
  }
  attempt('a call', () => net.BoundSocket());
  attempt('a missing folder', () => new net.BoundSocket({ path: path.join(folder, 'none', 'x') }));
  attempt('a long path', () => new net.BoundSocket({ path: `/tmp/${'x'.repeat(300)}` }));
  attempt('its members', () => Object.getOwnPropertyNames(net.BoundSocket.prototype).sort());
}

function addresses() {
  for (const options of [undefined, {}, { port: 0, host: null }, { host: '127.0.0.1' }, { host: '::1' }, { host: '::' }, { ipv6Only: true }, { port: '0' }]) {
    const bound = new net.BoundSocket(options);
    const { address, family, port } = bound.address();
    show('address', options ?? 'none', address, family, port > 0, bound.isPipe, bound.fd() > 2);
    bound.close();
    attempt('  closed', () => bound.address());
    attempt('  closed', () => bound.fd());
    attempt('  closed', () => bound.close());
    bound[Symbol.dispose]();
  }
  const first = noted(new net.BoundSocket({ host: '127.0.0.1' }), 'FIRST');
  const second = new net.BoundSocket({ host: '127.0.0.1', port: first.address().port });
  show('two of one port', second.address());
  first.close();
  second.close();
  const file = path.join(folder, 'file');
  const pipe = new net.BoundSocket({ path: file });
  show('a path', pipe.address(), pipe.isPipe, fs.existsSync(file));
  attempt('again', () => new net.BoundSocket({ path: file }));
  pipe.close();
  show('closed', fs.existsSync(file));
}

async function servers() {
  const bound = noted(new net.BoundSocket({ host: '127.0.0.1', reusePort: true }), 'SERVER');
  const { port } = bound.address();
  const other = new net.BoundSocket({ host: '127.0.0.1', port, reusePort: true });
  const server = net.createServer((socket) => socket.end('hello'));
  server.listen(bound);
  show('listening', server.listening, server.address(), server._connectionKey);
  for (const name of ['address', 'fd', 'close']) attempt(name, () => bound[name]());
  attempt('listen again', () => net.createServer().listen(bound));
  attempt('as a handle', () => new net.Socket({ handle: bound }));
  await once(server, 'listening');
  attempt('a port that is taken', () => new net.BoundSocket({ host: '127.0.0.1', port }));
  const second = net.createServer().listen({ handle: other });
  await once(second, 'listening');
  show('second', second.address());
  second.close();
  const client = net.connect(port, '127.0.0.1');
  let text = '';
  for await (const chunk of client) text += chunk;
  show('got', text);
  server.close();
  await once(server, 'close');

  const taken = noted(new net.BoundSocket({ host: '127.0.0.1' }), 'TAKEN');
  const same = new net.BoundSocket({ host: '127.0.0.1', port: taken.address().port });
  const winner = net.createServer().listen(taken);
  await once(winner, 'listening');
  const loser = net.createServer();
  loser.listen(same);
  const [error] = await once(loser, 'error');
  show('loser', error.code, error.syscall, error.address, error.port, error.message, loser.listening);
  winner.close();

  const file = path.join(folder, 'server');
  const pipe = net.createServer((socket) => socket.end(`${socket.remoteFamily}`)).listen(new net.BoundSocket({ path: file }));
  await once(pipe, 'listening');
  show('pipe', pipe.address(), fs.existsSync(file));
  text = '';
  for await (const chunk of net.connect(file)) text += chunk;
  show('got', text);
  pipe.close();
  await once(pipe, 'close');
  show('closed', fs.existsSync(file));
}

async function sockets() {
  const server = net.createServer((socket) => {
    show('from', socket.remotePort);
    socket.on('error', () => {}); // Some clients do not read.
    socket.end('hello');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  ports.set(port, 'TARGET');
  const bound = noted(new net.BoundSocket({ host: '127.0.0.1' }), 'SOURCE');
  const client = new net.Socket({ handle: bound });
  attempt('adopted', () => bound.close());
  show('before', client.localPort, client.localAddress, client.pending, client.connecting);
  attempt('localPort', () => client.connect({ port, host: '127.0.0.1', localPort: 0 }));
  client.connect(port, '127.0.0.1');
  show('connecting', client.localPort, client.localAddress, client.connecting);
  await once(client, 'connect');
  show('connected', client.localPort, client.remotePort);
  let text = '';
  for await (const chunk of client) text += chunk;
  show('got', text);

  // By name, and to no one.
  const named = new net.Socket({ handle: noted(new net.BoundSocket({ host: '127.0.0.1' }), 'NAMED') });
  named.connect({ port, host: 'name', lookup: (host, options, callback) => callback(null, '127.0.0.1', 4) });
  await once(named, 'connect');
  show('named', named.localPort);
  named.destroy();
  const closed = noted(new net.BoundSocket({ host: '127.0.0.1' }), 'CLOSED');
  const refused = new net.Socket({ handle: noted(new net.BoundSocket({ host: '127.0.0.1' }), 'REFUSED') });
  refused.connect(closed.address().port, '127.0.0.1');
  const [refusal] = await once(refused, 'error');
  show('refused', refusal.code, refusal.syscall, refusal.message);
  closed.close();
  const mixed = new net.Socket({ handle: noted(new net.BoundSocket({ host: '127.0.0.1' }), 'MIXED') });
  mixed.connect(1, '::1');
  const [mismatch] = await once(mixed, 'error');
  show('mixed', mismatch.code, mismatch.syscall, mismatch.message);
  // Never connected.
  const idle = new net.Socket({ handle: new net.BoundSocket() });
  idle.destroy();
  await once(idle, 'close');

  server.close();
  await once(server, 'close');
}

async function pipes() {
  const target = path.join(folder, 'target');
  const source = path.join(folder, 'source');
  const server = net.createServer((socket) => socket.on('error', () => {}).end('hello')).listen(target);
  await once(server, 'listening');
  const client = new net.Socket({ handle: new net.BoundSocket({ path: source }) });
  show('before', client.localAddress, client.address());
  attempt('no path', () => client.connect(1));
  client.connect({ path: target });
  show('connecting', client.localAddress);
  let text = '';
  for await (const chunk of client) text += chunk;
  show('got', text);
  if (!client.closed) await once(client, 'close');
  show('closed', fs.existsSync(source), client.localAddress);
  client.connect({ path: target });
  await once(client, 'connect');
  show('again', client.localAddress);
  client.destroy();
  await once(client, 'close');
  server.close();
  await once(server, 'close');

  const name = `\0bound-socket-${process.pid}`;
  const hidden = new net.BoundSocket({ path: name });
  show('abstract', hidden.address() === name);
  const listener = net.createServer((socket) => socket.end('hidden')).listen(hidden);
  await once(listener, 'listening');
  text = '';
  for await (const chunk of net.connect(name)) text += chunk;
  show('got', text);
  listener.close();
}

(async () => {
  misuse();
  addresses();
  await servers();
  await sockets();
  await pipes();
})().finally(() => fs.rmSync(folder, { recursive: true, force: true }));
