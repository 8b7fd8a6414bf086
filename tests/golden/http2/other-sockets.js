'use strict';
// Sessions on streams that are not sockets, and on sockets that a program has used before.
const http2 = require('http2');
const net = require('net');
const { duplexPair } = require('stream');

function talk(client, name) {
  return new Promise((resolve) => {
    const request = client.request({ ':path': `/${name}`, ':method': 'POST' });
    let size = 0;
    request.on('response', (headers) => console.log(name, headers[':status']));
    request.on('data', (data) => { size += data.length; });
    request.on('close', () => {
      console.log(name, size, request.rstCode);
      client.close(resolve);
    });
    request.end(Buffer.alloc(100_000));
  });
}
const server = http2.createServer();
server.on('stream', (stream, headers) => {
  stream.respond();
  stream.pipe(stream);
  console.log('server', headers[':path'], stream.session.alpnProtocol, stream.session.encrypted);
});
(async () => {
  const [one, other] = duplexPair();
  server.emit('connection', other);
  const client = http2.connect('http://example.org', { createConnection: () => one });
  for (const event of ['end', 'finish', 'close']) one.on(event, () => console.log(`client side ${event}`));
  await talk(client, 'pair');

  await new Promise((resolve) => {
    const plain = net.createServer((socket) => {
      // The preface may already be here when the session begins.
      socket.once('readable', () => {
        const session = http2.performServerHandshake(socket);
        session.on('stream', (stream, headers) => {
          console.log('handshake', headers[':path'], session.server);
          stream.respond();
          stream.pipe(stream);
        });
        session.on('close', () => {
          console.log('handshake session close');
          plain.close(resolve);
        });
      });
    });
    plain.listen(0, '127.0.0.1', () => talk(http2.connect(`http://127.0.0.1:${plain.address().port}`), 'handshake'));
  });

  const socket = new net.Socket();
  const first = http2.connect('http://example.org', { createConnection: () => socket });
  try {
    http2.connect('http://example.org', { createConnection: () => socket });
  } catch (error) {
    console.log(error.code, error.message);
  }
  first.on('error', (error) => console.log(error.code));
  first.on('close', () => console.log('closed'));
  first.destroy();
  for (const url of ['ftp://example.org', 'x', 1, null]) {
    try {
      http2.connect(url);
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
})();
