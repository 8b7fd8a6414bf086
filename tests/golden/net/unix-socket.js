// Sockets of the Unix kind: by path, by options, with rights; the file goes when the server does.
const net = require('node:net');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'net-'));
const name = path.join(folder, 'socket');
const hide = (text) => `${text}`.replaceAll(folder, 'FOLDER');
const server = net.createServer((socket) => {
  const seen = ['server', socket.remoteAddress, socket.remotePort, socket.address(), socket.localAddress];
  server.on('close', () => console.log(...seen));
  socket.setNoDelay().setKeepAlive(true);
  socket.on('data', (chunk) => socket.end(`${chunk}`.toUpperCase()));
});
server.listen({ path: name, readableAll: true, writableAll: true }, () => {
  console.log(hide(server.address()), (fs.statSync(name).mode & 0o666).toString(8), fs.statSync(name).isSocket());
  const client = net.connect(name, () => {
    console.log('client', client.remoteAddress, client.address());
    client.write('text');
    try {
      client.resetAndDestroy();
    } catch (error) {
      console.log(error.code, error.message);
    }
  });
  client.on('data', (chunk) => console.log(`${chunk}`));
  client.on('close', (hadError) => {
    console.log('close', hadError, client.bytesRead, client.bytesWritten);
    const second = net.createServer();
    second.on('error', (error) => {
      console.log(hide(error.message), error.code, hide(error.address), error.port);
      server.close(() => {
        console.log('file left:', fs.existsSync(name), hide(server.address()));
        const late = net.connect({ path: name });
        late.on('error', (refused) => {
          console.log(hide(refused.message), hide(refused.address), refused.port);
          fs.rmSync(folder, { recursive: true });
        });
      });
    });
    second.listen(name);
  });
});
