// onread: bytes land in a buffer of the program's own, and no 'data' is emitted.
const net = require('node:net');

const server = net.createServer((socket) => {
  socket.write('0123456789abcdef');
  socket.once('data', () => socket.end('the rest')); // When the client has had enough of the first.
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const mine = Buffer.alloc(10);
  let text = '';
  const client = net.connect({ port, host: '127.0.0.1', onread: {
    buffer: mine,
    callback(size, buffer) {
      console.log(size, buffer === mine, this === client);
      text += buffer.toString('latin1', 0, size);
      if (text.length === 16) client.write('go on');
      return true;
    },
  } });
  client.on('data', () => console.log('never'));
  client.on('end', () => console.log('end', text, client.bytesRead));
  client.on('close', () => {
    const sizes = [];
    let made = 0;
    const other = net.connect({ port, host: '127.0.0.1', onread: {
      buffer: () => new Uint8Array(4 + made++ % 3),
      callback(size, buffer) {
        sizes.push(`${size} of ${buffer.length}`);
        if (sizes.length === 2) {
          other.write('go on');
          setTimeout(() => other.resume(), 60);
          return false;
        }
      },
    } });
    other.on('end', () => console.log(sizes.slice(0, 3), other.bytesRead, made > 2));
    other.on('close', () => server.close());
  });
});
