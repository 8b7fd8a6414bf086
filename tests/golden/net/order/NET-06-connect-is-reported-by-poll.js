// A connection to a Unix socket stands at once, and is reported by poll all the same: after 'connection', as the server's
// descriptor was ready first. A path that cannot be connected to is reported in pending, before poll.
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'net-'));
const name = path.join(folder, 'socket');
process.on('exit', () => fs.rmdirSync(folder));

const server = net.createServer((socket) => {
  console.log('connection');
  setImmediate(() => console.log('immediate of the connection'));
  socket.end();
  socket.resume();
});
server.listen(name, () => {
  const client = net.connect(name);
  client.on('connect', () => console.log('connect'));
  client.on('close', () => server.close(() => console.log('server closed')));
  client.resume();
  net.connect(path.join(folder, 'missing')).on('error', (error) => console.log(error.code));
  process.nextTick(() => console.log('tick'));
  setImmediate(() => console.log('immediate'));
});
