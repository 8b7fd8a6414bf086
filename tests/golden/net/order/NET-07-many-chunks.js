// Chunks are as big as what is there, up to 64 KiB, however much was read before.
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'net-'));
const name = path.join(folder, 'socket');
process.on('exit', () => fs.rmdirSync(folder));

const sizes = [100, 150000, 20000, 65536, 65537, 9000, 131072, 8192, 8193, 50000, 90000, 1, 120000, 30000, 70000];
const server = net.createServer((socket) => {
  server.close();
  let left = sizes.length;
  let expected = 0;
  let chunks = [];
  const next = () => {
    if (left === 0) return client.end();
    expected = sizes[sizes.length - left--];
    client.write(Buffer.alloc(expected));
  };
  socket.on('data', (data) => {
    chunks.push(data.length);
    expected -= data.length;
    if (expected > 0) return;
    console.log(...chunks);
    chunks = [];
    next();
  });
  next();
});
server.listen(name);
const client = net.connect(name);
