// Symbol.asyncDispose closes servers; events.once() and promises work on sockets.
const net = require('node:net');
const { once } = require('node:events');

(async () => {
  const server = net.createServer((socket) => socket.end('hello'));
  console.log(await server[Symbol.asyncDispose]());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = net.connect(server.address().port, '127.0.0.1');
  await once(client, 'connect');
  const [chunk] = await once(client, 'data');
  console.log(`${chunk}`);
  await once(client, 'close');
  console.log(await server[Symbol.asyncDispose](), server.listening);
  const refused = net.connect(1, '127.0.0.1');
  await once(refused, 'connect').catch((error) => console.log(error.code));
})();
