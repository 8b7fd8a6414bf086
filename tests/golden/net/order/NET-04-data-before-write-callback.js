// A socket that is readable and writable in one poll reads first: the callback of a write that is finished then comes
// after 'data'.
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'net-'));
const name = path.join(folder, 'socket');
process.on('exit', () => fs.rmdirSync(folder));
const block = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const server = net.createServer((socket) => {
  server.close();
  let hasRead = false;
  socket.on('data', () => {
    hasRead = true;
    setImmediate(() => { hasRead = false; });
  });
  // More than the kernel takes at once.
  socket.write(Buffer.alloc(1 << 20), () => {
    console.log('written; read before in the same turn:', hasRead);
    socket.end();
  });
  // Each time it reads it makes room, and sends something.
  client.on('data', () => client.write('x'));
});
const client = net.connect({ path: server.listen(name).address() });
client.on('end', () => block(20));
client.on('close', () => console.log('closed'));
