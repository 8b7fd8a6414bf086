// A paused socket takes nothing from the kernel: its peer, once the kernel's buffers are full, drains only after resume().
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'net-'));
const name = path.join(folder, 'socket');
process.on('exit', () => fs.rmdirSync(folder));

const server = net.createServer({ pauseOnConnect: true }, (socket) => {
  server.close();
  let length = 0;
  socket.on('end', () => console.log('end', length));
  setTimeout(() => {
    console.log('resume', socket.bytesRead);
    socket.on('data', (data) => { length += data.length; });
    socket.resume();
  }, 100);
});
server.listen(name, () => {
  const client = net.connect(name, () => {
    console.log('fits:', client.write(Buffer.alloc(4 << 20)));
  });
  client.on('drain', () => {
    console.log('drain');
    client.end();
  });
});
