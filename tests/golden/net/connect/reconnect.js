// A socket that has closed can be connected again.
const net = require('node:net');

const server = net.createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', (data) => socket.end(`${data}`.toUpperCase()));
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const socket = new net.Socket();
  let round = 0;
  const log = [];
  for (const kind of ['connect', 'ready', 'end', 'finish', 'error']) {
    socket.on(kind, (error) => log.push(error ? `${kind} ${error.code}` : kind));
  }
  socket.on('data', (data) => log.push(`data ${data}`));
  socket.on('close', (hadError) => {
    log.push(`close ${hadError}`);
    console.log(round, log.splice(0), socket.bytesRead, socket.bytesWritten, socket.destroyed, socket.readyState);
    switch (++round) {
      case 1:
        socket.connect(port, '127.0.0.1', () => socket.write('again'));
        break;
      case 2:
        // Refused, and then once more.
        socket.connect(1, '127.0.0.1');
        break;
      case 3:
        socket.connect({ port, host: '127.0.0.1' });
        console.log(socket.write('before'), socket.connecting, socket.destroyed);
        break;
      default:
        server.close();
    }
  });
  socket.connect(port, '127.0.0.1', () => socket.write('first'));
});
