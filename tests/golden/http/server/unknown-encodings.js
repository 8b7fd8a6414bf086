'use strict';
// Requests whose Transfer-Encoding is not chunked: their length is unknown, so they are refused, and never complete.
const http = require('http');
const net = require('net');

const server = http.createServer((request, response) => {
  const events = [];
  request.on('error', (error) => events.push(`error ${error.code}`));
  for (const event of ['end', 'aborted']) request.on(event, () => events.push(event));
  request.on('close', () => console.log(request.method, JSON.stringify(request.headers['transfer-encoding']),
    request.complete, events));
  request.resume();
});
server.on('clientError', (error, socket) => {
  console.log(error.code);
  socket.destroy();
});

function send(text) {
  return new Promise((resolve) => {
    server.once('connection', (socket) => socket.on('close', () => setImmediate(resolve)));
    const client = net.connect(server.address().port, '127.0.0.1', () => client.write(text, 'latin1'));
    client.on('error', () => {});
    client.resume();
  });
}

server.listen(0, '127.0.0.1', async () => {
  for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
    for (const encoding of ['identity', 'x', '', 'chunked, gzip', 'chunked;a']) {
      await send(`${method} / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ${encoding}\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n`);
    }
  }
  server.close();
});
