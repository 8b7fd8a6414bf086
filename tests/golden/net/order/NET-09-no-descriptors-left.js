// A server without descriptors left closes the connections that wait, so that their clients know; later ones are accepted.
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');

if (process.argv[2] !== 'child') {
  const command = 'ulimit -n 100; exec "$0" "$1" child';
  spawnSync('/bin/sh', ['-c', command, process.execPath, __filename], { stdio: 'inherit' });
} else {
  const server = net.createServer((socket) => {
    console.log('connection');
    socket.end('welcome');
  });
  server.on('error', (error) => console.log('server', error.code));
  server.listen(0, '127.0.0.1', () => {
    const files = [];
    let left = 3;
    for (let i = 0; i < 3; i++) {
      const client = net.connect(server.address().port, '127.0.0.1');
      client.on('data', (data) => console.log(i, String(data)));
      client.on('error', (error) => console.log(i, error.code));
      client.on('end', () => console.log(i, 'end'));
      client.on('close', () => {
        if (--left > 0) return;
        for (const file of files) fs.closeSync(file);
        const last = net.connect(server.address().port, '127.0.0.1');
        last.on('data', (data) => console.log('last', String(data)));
        last.on('close', () => server.close(() => console.log('closed')));
      });
    }
    // After the ticks that connect, and before poll.
    process.nextTick(() => process.nextTick(() => {
      try {
        for (;;) files.push(fs.openSync('/dev/null'));
      } catch (error) {
        console.log(error.code);
      }
    }));
  });
}
