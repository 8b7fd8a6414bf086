// 10,000 connections at once, or as many as descriptors allow, with both ends in this process; each sends a message and
// gets it back.
'use strict';
const net = require('node:net');
const fs = require('node:fs');
const assert = require('node:assert');

const limits = fs.readFileSync('/proc/self/limits', 'latin1');
const most = +/Max open files\s+(\d+)/.exec(limits)[1];
const count = Math.min(10000, Math.floor((most - 100) / 2));
if (count < 5000) {
  console.log(`skipped: ${most} descriptors are too few`);
  process.exit(77);
}
const server = net.createServer((socket) => socket.on('data', (data) => socket.write(data)));
const clients = [];
let connected = 0;
let answered = 0;
function open() {
  const client = net.connect({ port: server.address().port, host: '127.0.0.1' }, () => {
    if (++connected === count) talk();
    else if (clients.length < count) open();
  });
  client.on('data', (data) => {
    assert.strictEqual(`${data}`, client.text);
    if (++answered === count) finish();
  });
  clients.push(client);
}
function talk() {
  server.getConnections((error, number) => console.log('connections:', number));
  for (let i = 0; i < count; i++) {
    clients[i].text = `message ${i}`;
    clients[i].write(clients[i].text);
  }
}
function finish() {
  let left = count;
  for (const client of clients) {
    client.on('close', () => {
      if (--left === 0) server.close(() => console.log('all closed'));
    });
    client.end();
  }
}
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  for (let i = 0; i < 200; i++) open();
});
