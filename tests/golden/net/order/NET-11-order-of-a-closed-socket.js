// A socket that is destroyed calls back in the closing phase: first its writes, then end(), then 'close'.
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'net-'));
const name = path.join(folder, 'socket');
process.on('exit', () => fs.rmdirSync(folder));

const server = net.createServer((socket) => {
  server.close();
  socket.pause();
  client.on('close', () => socket.destroy());
});
server.listen(name);
const client = net.connect(name, () => {
  client.write(Buffer.alloc(4 << 20), () => console.log('first write'));
  client.write('more', () => console.log('second write'));
  client.end(() => console.log('end'));
  client.on('finish', () => console.log('never'));
  client.on('close', () => console.log('close'));
  setImmediate(() => {
    client.destroy();
    process.nextTick(() => console.log('tick'));
    setImmediate(() => console.log('immediate'));
  });
});
