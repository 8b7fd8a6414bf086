'use strict';
// Callbacks of finished writes, of equal functions, and of end(), when the socket is destroyed in the same callback.
const net = require('net');

function connect(use, next) {
  const server = net.createServer((socket) => {
    server.close();
    socket.resume().on('error', () => {});
  }).listen(0, '127.0.0.1', () => {
    const client = net.connect(server.address().port, '127.0.0.1', () => setImmediate(use, client));
    client.on('finish', () => console.log('finish')).on('close', () => { console.log('close'); setImmediate(next); });
  });
}
const show = (name) => (error) => console.log(name, error?.code ?? error);

connect((client) => {
  client.write('a', (error) => {
    show('first')(error);
    client.write('b', show('in the first'));
  });
  client.write('c', show('second'));
  client.end('d', show('end'));
  client.destroy();
}, () => connect((client) => {
  const same = show('same');
  client.write('a', same);
  process.nextTick(() => console.log('tick'));
  client.write('b', same);
  client.write('c', show('other'));
  client.write('d', same);
  client.end(show('end'));
}, () => {}));
