// connect() connects synchronously: a server gets it even if the socket is destroyed before the loop polls.
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'net-'));
const name = path.join(folder, 'socket');
process.on('exit', () => fs.rmdirSync(folder));

function run(address, connect, next) {
  const server = net.createServer((socket) => {
    console.log('connection');
    socket.on('end', () => console.log('end'));
    socket.on('error', (error) => console.log(error.code));
    socket.on('close', () => server.close(next));
    socket.resume();
  });
  server.listen(...address, () => {
    const client = connect(server);
    client.on('connect', () => console.log('never'));
    client.on('close', () => console.log('client closed'));
  });
}

// The connection to an address begins in a tick, the one to a path in the call.
run([0, '127.0.0.1'], (server) => {
  const client = net.connect(server.address().port, '127.0.0.1');
  process.nextTick(() => process.nextTick(() => client.destroy()));
  return client;
}, () => {
  console.log('Unix');
  run([name], () => {
    const client = net.connect(name);
    client.destroy();
    return client;
  }, () => console.log('done'));
});
