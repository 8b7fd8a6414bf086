// Datagrams between two sockets.
'use strict';
const dgram = require('node:dgram');
const { begin, expect } = require('./account.js');

const ended = begin('server');
const ended = begin('client');
const server = dgram.createSocket('udp4');
const client = dgram.createSocket('udp4');
let failure;
let problem;
// Datagrams may be lost, so this must end by itself.
const limit = setTimeout(close, 200);
function close() {
  clearTimeout(limit);
  for (const socket of [server, client]) {
    try {
      socket.close();
    } catch {
      // Closed already.
    }
  }
}
server.on('error', (error) => { failure ??= error; close(); });
client.on('error', (error) => { problem ??= error; close(); });
server.on('close', () => ended(failure));
client.on('close', () => ended(problem));
server.on('message', (message, { port, address }) => {
  expect(message.length === 1000, `${message.length} bytes arrived`);
  server.send(message, port, address, (error) => { if (error) close(); });
});
let answers = 0;
client.on('message', () => { if (++answers === 3) close(); });
server.bind(0, '127.0.0.1', () => {
  let port;
  try {
    ({ port } = server.address());
    server.setTTL(3);
  } catch (error) {
    failure = error;
    return close();
  }
  for (let i = 0; i < 3; i++) {
    const sent = begin('send');
    let isSent = false;
    client.send(Buffer.alloc(1000), port, '127.0.0.1', (error) => { isSent = true; sent(error); });
    client.on('close', () => { if (!isSent) sent(new Error('closed before')); });
  }
});
