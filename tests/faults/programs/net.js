// Servers and sockets, names, timers.
'use strict';
const dns = require('node:dns');
const net = require('node:net');
const path = require('node:path');
const { attempt, begin, expect } = require('./account.js');

// A client sends data, and reads the answer to its end. Every server and socket closes, whatever fails.
function talk(name, listenAt) {
  return new Promise((resolve) => {
    const served = begin(`${name}: server`);
    const ended = begin(`${name}: client`);
    let failure;
    const server = net.createServer((socket) => {
      socket.on('error', (error) => { failure ??= error; });
      socket.pipe(socket);
    });
    server.on('error', (error) => { failure ??= error; server.close(); });
    server.once('close', () => { served(failure); resolve(); });
    let client;
    server.listen(listenAt, () => {
      let address;
      try {
        address = server.address();
        expect(address !== null, 'a server that listens has no address');
      } catch (error) {
        failure = error;
        return server.close();
      }
      client = typeof address === 'string' ? net.connect(address) : net.connect(address.port, '127.0.0.1');
      let problem;
      let size = 0;
      client.setNoDelay(true).setKeepAlive(true, 1000);
      client.on('data', (data) => { size += data.length; });
      client.on('error', (error) => { problem = error; });
      client.on('close', () => {
        // If accept() has no free descriptor, the server closes the connection at once and only the client notices.
        if (size === 0) problem ??= new Error('cut off');
        expect(problem || failure || size === 200000, `${name}: ${size} bytes came back`);
        ended(problem);
        server.close();
      });
      client.end('x'.repeat(200000));
    });
    server.once('close', () => { if (!client) ended(failure); });
  });
}

(async () => {
  await talk('tcp', { port: 0, host: '127.0.0.1' });
  await talk('unix', path.join(process.cwd(), 'socket'));
  const refused = begin('refused');
  await new Promise((resolve) => {
    net.connect(1, '127.0.0.1').on('error', refused).on('close', resolve);
  });
  await attempt('lookup', () => dns.promises.lookup('localhost'));
  await attempt('lookupService', () => dns.promises.lookupService('127.0.0.1', 80));
  await attempt('timer', () => require('node:timers/promises').setTimeout(2));
})();
