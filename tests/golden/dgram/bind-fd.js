// A child process takes over a descriptor that it inherits; other kinds of descriptors are refused.
const dgram = require('node:dgram');
const fs = require('node:fs');
const { spawn } = require('node:child_process');

if (process.argv[2] === 'child') {
  const socket = dgram.createSocket('udp4');
  const attempt = (fd) => {
    const wrong = dgram.createSocket('udp4');
    try {
      wrong.bind({ fd });
    } catch (error) {
      console.log(error.name, error.code, error.message, error.syscall);
    }
    wrong.close();
  };
  const file = fs.openSync(__filename);
  attempt(file);
  fs.closeSync(file);
  socket.on('listening', () => console.log('child listens', socket.address().address));
  console.log(socket.bind({ fd: 3 }, () => console.log('callback')) === socket);
  socket.on('message', (message, { port, address }) => {
    socket.send(`child got ${message}`, port, address, () => socket.close());
  });
  console.log('end of the script');
} else {
  const owner = dgram.createSocket('udp4');
  owner.bind(0, '127.0.0.1', () => {
    const state = Object.getOwnPropertySymbols(owner).find(({ description }) => description === 'state symbol');
    const { handle } = owner[state];
    const { port } = owner.address();
    const stdio = ['ignore', 'pipe', 'inherit', handle.fd];
    const child = spawn(process.execPath, [__filename, 'child'], { stdio });
    owner.close();
    const client = dgram.createSocket('udp4');
    let output = '';
    child.stdout.on('data', (data) => {
      output += data;
      if (output.includes('end of the script\n')) client.send('hello', port, '127.0.0.1');
    });
    child.on('close', (code) => console.log(`${output}code ${code}`));
    client.on('message', (message) => {
      console.log(String(message));
      client.close();
    });
  });
}
