// Prints versions, the system and the path of the program; then uses a socket, a child process and a worker.
'use strict';
const fs = require('node:fs');
const net = require('node:net');
const { fork } = require('node:child_process');
const { Worker, isMainThread, parentPort } = require('node:worker_threads');

if (!isMainThread) {
  parentPort.postMessage('worker');
} else if (process.argv[2] === 'child') {
  process.send('child');
} else {
  const system = fs.readFileSync('/etc/debian_version', 'utf8').trim();
  console.log(process.version, process.versions.v8, system, process.execPath);
  const server = net.createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1', () => {
    const client = net.connect(server.address().port, '127.0.0.1');
    client.on('data', (data) => console.log(`${data}`));
    client.on('close', () => {
      server.close();
      fork(__filename, ['child']).on('message', (text) => {
        console.log(text);
        new Worker(__filename).on('message', (message) => console.log(message));
      });
    });
    client.end('hello');
  });
}
