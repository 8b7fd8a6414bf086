'use strict';
// A write that succeeded calls back with null, whichever way it took.
const net = require('net');
const { spawn } = require('child_process');
const show = (name) => (...args) => console.log(name, args.length, args[0]);

const server = net.createServer((connection) => connection.resume()).listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1');
  socket.write('before it is connected', show('early'));
  socket.on('connect', () => {
    socket.write('text', show('text'));
    socket.write(Buffer.from('bytes'), show('bytes'));
    socket.cork();
    socket.write('a', show('corked'));
    socket.write('b', show('corked, too'));
    socket.uncork();
    socket.write('', show('empty'));
    socket.write('6162', 'hex', show('hex'));
    setTimeout(() => {
      socket.write('later', show('later'));
      socket.end('end', show('end'));
    }, 5);
  });
  socket.on('close', () => {
    server.close();
    const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
    child.stdin.write('x', show('pipe'));
    child.stdin.end(show('end of a pipe'));
  });
});
