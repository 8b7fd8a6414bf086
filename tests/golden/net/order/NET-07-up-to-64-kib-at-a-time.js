// One readiness event reads until the kernel has less than 64 KiB left; each chunk is up to 64 KiB.
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'net-'));
const name = path.join(folder, 'socket');
process.on('exit', () => fs.rmdirSync(folder));

const server = net.createServer((socket) => {
  server.close();
  socket.on('data', (data) => {
    console.log('data', data.length);
    setImmediate(() => console.log('immediate'));
  });
  socket.on('end', () => console.log('end'));
  socket.on('close', () => console.log('closed'));
});
server.listen(name, () => {
  const client = net.connect(name);
  client.write(Buffer.alloc(150000));
  client.on('connect', () => process.nextTick(() => client.end()));
});
