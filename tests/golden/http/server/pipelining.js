'use strict';
// Responses leave in the order of their requests, whatever the order in which they are written.
const http = require('http');
const { exchange, show } = require('../fixtures/raw');

const log = console.log;
const waiting = [];
const server = http.createServer((request, response) => {
  log('request', request.url, request.socket._httpMessage === response);
  response.sendDate = false;
  for (const event of ['socket', 'finish', 'close']) response.on(event, () => log(`response ${request.url} ${event}`));
  request.on('end', () => log(`request ${request.url} end`));
  request.resume();
  waiting.push(response);
  if (waiting.length < 4) return;
  // The last one first.
  for (const [index, waits] of waiting.splice(0).reverse().entries()) {
    log('writes', index, waits.write(`part ${index}`), waits.writableLength > 0);
    waits.end(' end', () => log('end callback', index));
  }
});
const small = 'GET /1 HTTP/1.1\r\nHost: a\r\n\r\nPOST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc' +
  'POST /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n' +
  'HEAD /4 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  show(await exchange(port, small));
  // Byte by byte the same.
  const net = require('net');
  await new Promise((resolve) => {
    let answer = '';
    const socket = net.connect(port, '127.0.0.1', async () => {
      for (const byte of small) {
        socket.write(byte);
        await new Promise(setImmediate);
      }
    });
    socket.setNoDelay(true);
    socket.on('data', (data) => answer += data);
    socket.on('close', () => {
      show(answer);
      resolve();
    });
  });
  server.close();
  await flood();
});

// A client that sends requests without reading: the server stops reading before its memory is full.
function flood() {
  let count = 0;
  let most = 0;
  const body = 'x'.repeat(10_000);
  const flooded = http.createServer((request, response) => {
    count++;
    most = Math.max(most, response.socket ? response.socket.writableLength : 0);
    response.end(body);
  });
  return new Promise((resolve) => {
    flooded.listen(0, '127.0.0.1', () => {
      const socket = require('net').connect(flooded.address().port, '127.0.0.1');
      const total = 5000;
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(total - 1));
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      let seen = 0;
      setTimeout(() => {
        log('held back', count < total);
        socket.on('data', (data) => seen += data.length);
      }, 300);
      socket.on('close', () => {
        log('all answered', count === total, seen > total * body.length, most < 10_000_000);
        flooded.close(resolve);
      });
    });
  });
}
