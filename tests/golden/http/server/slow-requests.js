'use strict';
// Clients that send a byte now and then, or nothing, with the standard limits: 60 s for a head, 300 s for a request, looked at
// every 30 s, and 5 s (and one more) for an idle connection. The clock is virtual, so the times are exact.
const http = require('http');
const net = require('net');

const kCount = 100;
const server = http.createServer((request, response) => {
  request.on('error', () => {});
  request.resume().on('end', () => response.end('served'));
});

// Sends `head`, then a byte of `rest` every ten seconds. Resolves with the first line of the response and the second in which the
// connection ended.
function slow(head, rest) {
  const start = performance.now();
  const socket = net.connect(server.address().port, '127.0.0.1');
  socket.write(head);
  let next = 0;
  const timer = setInterval(() => socket.write(rest[next++ % rest.length]), 10_000);
  if (rest === '') clearInterval(timer);
  let text = '';
  socket.setEncoding('latin1').on('data', (data) => text += data);
  socket.on('error', () => {});
  return new Promise((resolve) => socket.on('close', () => {
    clearInterval(timer);
    resolve(`${text.split('\r\n')[0]} after ${Math.round((performance.now() - start) / 1000)} s`);
  }));
}

const kinds = {
  'nothing': ['', ''],
  'one byte': ['G', ''],
  'a slow line': ['', 'GET / HTTP/1.1\r\nHost: a'],
  'slow fields': ['GET / HTTP/1.1\r\nHost: a\r\n', 'X: a\r\n'],
  'a slow body': ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n', 'a'],
  'slow chunks': ['POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\na\r\n'],
  'no second request': ['GET / HTTP/1.1\r\nHost: a\r\n\r\n', ''],
  'a slow second request': ['GET / HTTP/1.1\r\nHost: a\r\n\r\nG', 'X'],
};

server.listen(0, '127.0.0.1', async () => {
  for (const [name, [head, rest]] of Object.entries(kinds)) console.log(name, '-', await slow(head, rest));
  const all = [];
  for (let i = 0; i < kCount; i++) all.push(slow(...Object.values(kinds)[i % 6]));
  http.get({ port: server.address().port, agent: false }, (response) => {
    response.setEncoding('utf8').on('data', (text) => console.log('the next client is', text));
  });
  const counts = {};
  for (const text of await Promise.all(all)) counts[text] = (counts[text] ?? 0) + 1;
  console.log(counts);
  server.getConnections((error, count) => console.log('left:', count));
  server.close();
});
