'use strict';
// Pool results and messages of ports come where the loop's wake-up descriptor became ready, among sockets.
const fs = require('fs');
const net = require('net');
const { waitUntilIdle } = require('../../fixtures/idle.js');

const { port1, port2 } = new MessageChannel();
let isDone;

const cases = [
  ['file, then data', (client) => { fs.stat('.', () => console.log('stat')); waitUntilIdle(); client.write('x'); }],
  ['data, then file', (client) => { client.write('x'); waitUntilIdle(); fs.stat('.', () => console.log('stat')); }],
  ['message, then data', (client) => { port2.postMessage(0); client.write('x'); }],
  ['data, then message', (client) => { client.write('x'); waitUntilIdle(); port2.postMessage(0); }],
  ['message, data, then file', (client) => {
    port2.postMessage(0);
    client.write('x');
    fs.stat('.', () => console.log('stat'));
  }],
];

port1.on('message', () => console.log('message'));
const server = net.createServer((socket) => {
  socket.on('data', () => console.log('data'));
}).listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1', function next() {
    const one = cases.shift();
    if (one === undefined) {
      client.destroy();
      server.close();
      port1.close();
      return;
    }
    // From a timer: nothing else is ready then.
    setTimeout(() => {
      console.log(`-- ${one[0]}`);
      one[1](client);
      waitUntilIdle();
      setTimeout(next, 50);
    }, 50);
  });
});
