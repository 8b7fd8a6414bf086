'use strict';
// A write is sent at once, queued, or fails. Also writes that cannot succeed: after destroy() and end(), bad arguments.
const net = require('node:net');
const { once } = require('node:events');

// More than the buffers of a connection hold.
const much = Buffer.alloc(64 << 20, 'm');

async function connect(server) {
  const accepted = once(server, 'connection');
  const client = net.connect(server.address().port, '127.0.0.1');
  await once(client, 'connect');
  const [peer] = await accepted;
  return { client, peer };
}

// once() would reject after an error.
const closed = (socket) => new Promise((resolve) => socket.once('close', resolve));

const describe = (error) => (error ? `${error.code} ${error.syscall ?? ''}`.trim() : error);

async function states(server) {
  const { client, peer } = await connect(server);
  let inside = true;
  const written = (name) => (error) => console.log('written', name, error, inside);
  console.log('sent', client.write('text', 'utf8', written('text')), client.writableLength, client.bytesWritten);
  console.log('sent', client.write(Buffer.from('bytes')), client.writableLength, client.bytesWritten);
  inside = false;
  await new Promise(setImmediate);
  console.log('queued', client.write(much), client.writableLength, client.bytesWritten, client.writableNeedDrain);
  console.log('behind', client.write('last', 'latin1', written('last')), client.writableLength, client.bytesWritten);
  console.log('native queue', client._handle.writeQueueSize > 0 || client._handle.bytesWritten < client.bytesWritten);
  const total = 9 + much.length + 4;
  let received = 0;
  peer.on('data', (chunk) => { received += chunk.length; });
  await once(client, 'drain');
  console.log('drain', client.writableLength, client.writableNeedDrain);
  client.end('.');
  await once(peer, 'end');
  console.log('received', received === total + 1, client.bytesWritten === total + 1);
  await closed(client);
  console.log('after close', client.bytesWritten === total + 1);
}

async function lists(server) {
  const { client, peer } = await connect(server);
  client.cork();
  client.write('one ');
  client.write(Buffer.from('two '));
  client.write('\u00e9', 'latin1');
  client.write('207468726565', 'hex');
  console.log('corked', client.writableLength, client.bytesWritten);
  client.uncork();
  client.cork();
  for (let i = 0; i < 3000; i++) client.write(i % 2 ? 'x' : Buffer.from('y'));
  client.uncork();
  let text = '';
  peer.setEncoding('latin1').on('data', (chunk) => { text += chunk; });
  client.end();
  await once(peer, 'end');
  console.log(text.slice(0, 15), text.length, text.slice(15) === 'yx'.repeat(1500));
  if (!client.destroyed) await closed(client);
}

async function failures(server) {
  const { client } = await connect(server);
  client.on('error', (error) => console.log('error', describe(error)));
  client.write(much, (error) => console.log('queued write', describe(error)));
  client.destroy();
  console.log('destroyed', client.write('x', (error) => console.log('after destroy', describe(error))));
  console.log(client.write(Buffer.from('x')), client.writableLength > 0, client.bytesWritten >= much.length);
  await closed(client);
  console.log('closed', client.write('x', (error) => console.log('after close', describe(error))));
  await new Promise(setImmediate);

  const second = await connect(server);
  second.client.on('error', (error) => console.log('error', describe(error)));
  second.client.end();
  console.log('ended', second.client.write('x', (error) => console.log('after end', describe(error))));
  await closed(second.client);
  second.peer.destroy();
}

async function badArguments(server) {
  const { client } = await connect(server);
  for (const bad of [undefined, null, 1, true, {}, [], Symbol('s'), new ArrayBuffer(2)]) {
    try {
      console.log('accepted', client.write(bad));
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
  for (const encoding of ['nothing', 7]) {
    try {
      console.log('accepted', client.write('x', encoding));
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
  console.log(client.bytesWritten, client.writableLength, client.destroyed);
  client.destroy();
  await closed(client);
}

const server = net.createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1', async () => {
  await states(server);
  await lists(server);
  await failures(server);
  await badArguments(server);
  server.close();
});
