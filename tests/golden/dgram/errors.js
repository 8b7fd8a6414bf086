// Invalid arguments: the errors of Node, and nothing happens.
const dgram = require('node:dgram');
const attempt = (name, what) => {
  try {
    console.log(name, what());
  } catch (error) {
    console.log(name, `${error.name} ${error.code}: ${error.message}`);
  }
};
const create = (...args) => {
  const socket = dgram.createSocket(...args);
  socket.close();
  return 'created';
};

for (const type of [undefined, null, 'udp', 'UDP4', 4, {}, { type: 'tcp' }, [], 'udp4']) {
  attempt('createSocket', () => create(type));
}
for (const options of [
  { lookup: 1 }, { lookup: null }, { recvBufferSize: 'x' }, { recvBufferSize: -1 }, { recvBufferSize: 1.5 },
  { sendBufferSize: 2 ** 32 }, { signal: 1 }, { signal: null }, { receiveBlockList: {} }, { sendBlockList: 'x' },
  { recvBufferSize: 0 }, { reuseAddr: 'yes', reusePort: 0, ipv6Only: null },
]) {
  attempt(JSON.stringify(options), () => create({ type: 'udp4', ...options }));
}

const closed = dgram.createSocket('udp4');
closed.close();
for (const name of [
  'bind', 'bindSync', 'connectSync', 'close', 'address', 'remoteAddress', 'addMembership', 'dropMembership',
  'addSourceSpecificMembership', 'dropSourceSpecificMembership', 'setMulticastInterface',
]) {
  attempt(`closed.${name}()`, () => closed[name](1));
}
attempt('closed.send()', () => closed.send('x', 1));
for (const name of ['ref', 'unref']) attempt(`closed.${name}()`, () => closed[name]() === closed);

const socket = dgram.createSocket('udp4');
for (const args of [
  [], [1], ['x'], ['x', -1], ['x', 0], ['x', 65536], ['x', 'y'], ['x', 1, 5], ['x', 1, {}], [null, 1], [{}, 1],
  [['x', 1], 2], [[null], 2], ['x', 0, 2, 1], ['x', 2, 0, 1], ['x', 0, 1, 0, '127.0.0.1'], [1, 0, 1, 2, '127.0.0.1'],
  ['x', 0, 1, 1, 5], ['x', -1, 1, 1, 'h'], ['x', NaN], ['x', 1.5],
]) {
  attempt(`send(${JSON.stringify(args)})`, () => socket.send(...args));
}
for (const args of [[], ['x', 'a'], ['x', 0], ['x', 0, 1], ['x', 0, 1, 'p'], ['x', 0, 1, 1], ['x', 0, 1, 1, 2]]) {
  attempt(`sendto(${JSON.stringify(args)})`, () => socket.sendto(...args));
}
for (const args of [[], [0], [65536], ['x'], [-1], [1, 2], [1, {}], [1, null]]) {
  attempt(`connect(${JSON.stringify(args)})`, () => socket.connect(...args));
}
for (const args of [[null], [1], [{ port: -1 }], [{ port: 'x' }], [{ address: 1 }], [{ address: 'name' }]]) {
  attempt(`bindSync(${JSON.stringify(args)})`, () => socket.bindSync(...args));
}
for (const args of [[], [0], [1, 5], [1, 'name']]) {
  attempt(`connectSync(${JSON.stringify(args)})`, () => socket.connectSync(...args));
}
attempt('bindSync', () => typeof socket.bindSync({ address: '::1' }));
attempt('bindSync', () => typeof socket.bindSync({ address: '127.0.0.1' }));
attempt('bindSync', () => typeof socket.bindSync({ address: '127.0.0.1' }));

for (const ttl of [0, 1, 255, 256, -1, 1.9, NaN, '1', undefined, null]) {
  attempt(`setTTL(${ttl})`, () => socket.setTTL(ttl));
  attempt(`setMulticastTTL(${ttl})`, () => socket.setMulticastTTL(ttl));
}
for (const on of [true, false, 0, 'x', undefined, null]) {
  attempt(`setBroadcast(${on})`, () => socket.setBroadcast(on));
  attempt(`setMulticastLoopback(${on})`, () => socket.setMulticastLoopback(on));
}
for (const address of ['127.0.0.1', 'x', '', 1, undefined, '::%lo', '::1']) {
  attempt(`setMulticastInterface(${address})`, () => socket.setMulticastInterface(address));
}
for (const args of [
  [], [''], ['x'], [1], ['127.0.0.1'], ['239.1.1.1', 'x'], ['239.1.1.1', '::1'], ['239.1.1.1', 1], [{}], [[]],
]) {
  attempt(`addMembership(${JSON.stringify(args)})`, () => socket.addMembership(...args));
  attempt(`dropMembership(${JSON.stringify(args)})`, () => socket.dropMembership(...args));
}
for (const args of [
  [], ['x'], [1, 'x'], ['x', 'y'], ['127.0.0.1', 'x'], ['127.0.0.1', '127.0.0.1'], ['::1', '232.1.1.1'],
  ['127.0.0.1', '232.1.1.1', 'x'],
]) {
  attempt(`addSourceSpecificMembership(${JSON.stringify(args)})`, () => socket.addSourceSpecificMembership(...args));
  attempt(`dropSourceSpecificMembership(${JSON.stringify(args)})`, () => socket.dropSourceSpecificMembership(...args));
}
socket.close();

const unbound = dgram.createSocket('udp4');
for (const name of ['setTTL', 'setMulticastTTL', 'setBroadcast', 'setMulticastLoopback']) {
  attempt(`unbound.${name}(1)`, () => unbound[name](1));
}
attempt('unbound.setMulticastInterface()', () => unbound.setMulticastInterface('127.0.0.1'));
unbound.close();
