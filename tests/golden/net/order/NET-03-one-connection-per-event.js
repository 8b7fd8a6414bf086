// One readiness event of a server brings one connection: an immediate of its handler runs before the next connection.
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'net-'));
const name = path.join(folder, 'socket');
process.on('exit', () => fs.rmdirSync(folder));

function run(address, next) {
  let count = 0;
  const server = net.createServer((socket) => {
    const id = count++;
    console.log('connection', id);
    process.nextTick(() => console.log('tick', id));
    setImmediate(() => console.log('immediate', id));
    socket.resume();
    socket.end();
    if (id === 3) server.close(next);
  });
  server.listen(...address, () => {
    for (let i = 0; i < 4; i++) net.connect(server.address().port ?? name, '127.0.0.1').resume();
  });
}

run([0, '127.0.0.1'], () => {
  console.log('Unix');
  run([name], () => console.log('done'));
});
