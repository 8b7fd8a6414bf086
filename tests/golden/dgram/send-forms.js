// All forms of send(): with and without an offset, an address, a callback; strings, views and lists.
const dgram = require('node:dgram');
const server = dgram.createSocket('udp4');
const client = dgram.createSocket('udp4');
const bytes = Buffer.from('0123456789');
const words = new Uint16Array([0x6261, 0x6463]);
const view = new DataView(bytes.buffer, bytes.byteOffset + 2, 3);
let next = 0;
let port;
const sent = (name) => (error, size) => console.log(name, 'sent', error, size);
const forms = [
  () => client.send(bytes, 1, 3, port, '127.0.0.1', sent('all')),
  () => client.send(bytes, 1, 3, port, '127.0.0.1'),
  () => client.send(bytes, 1, 3, port, sent('without an address')),
  () => client.send(bytes, 1, 3, port),
  () => client.send(bytes, port, '127.0.0.1', sent('whole')),
  () => client.send(bytes, port, '127.0.0.1'),
  () => client.send(bytes, port, sent('port only')),
  () => client.send(bytes, port),
  () => client.send('päck', port, sent('string')),
  () => client.send('päck', 1, 2, port, '127.0.0.1', sent('part of a string')),
  () => client.send(words, port),
  () => client.send(words, 1, 2, port),
  () => client.send(view, port),
  () => client.send(view, 1, 1, port, ''),
  () => client.send(['a', Buffer.from('b'), words, view], port, sent('list')),
  () => client.send([], port, sent('empty list')),
  () => client.send('', port, sent('empty')),
  () => client.send(new Uint8Array(), port, null),
  () => client.send('null address', port, null, sent('null')),
  () => client.send('port as text', String(port), '127.0.0.1'),
  () => client.sendto(bytes, 0, 4, port, '127.0.0.1', sent('sendto')),
  () => client.send('callback that is none', port, '127.0.0.1', null),
];
const connected = [
  () => client.send(bytes, 1, 3, sent('connected, part')),
  () => client.send(bytes, 1, 3),
  () => client.send(bytes, sent('connected')),
  () => client.send(bytes),
  () => client.send(['x', 'y'], sent('connected, list')),
  () => client.send([]),
];

server.on('message', (message, rinfo) => {
  console.log(JSON.stringify(String(message)), rinfo.size, rinfo.family, rinfo.address, Object.keys(rinfo).join());
  step();
});
function step() {
  if (next < forms.length) return forms[next++]();
  if (next === forms.length) {
    next++;
    return client.connect(port, '127.0.0.1', step);
  }
  const form = connected[next++ - forms.length - 1];
  if (form !== undefined) return setImmediate(form);
  setImmediate(() => {
    server.close();
    client.close();
  });
}
server.bind(0, '127.0.0.1', () => {
  ({ port } = server.address());
  step();
});
