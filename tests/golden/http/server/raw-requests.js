'use strict';
// Requests as bytes: well-formed ones, pipelined ones, and many that a server must refuse.
const http = require('http');
const net = require('net');

const server = http.createServer((request, response) => {
  let body = '';
  request.on('data', (data) => body += data);
  request.on('end', () => {
    response.sendDate = false;
    response.setHeader('X-Seen', `${request.method} ${request.url} ${request.httpVersion}`);
    response.end(`${JSON.stringify(request.rawHeaders)} ${body} ${JSON.stringify(request.trailers)}`);
  });
  request.on('error', (error) => console.log('  request error', error.code));
});
server.on('clientError', (error, socket) => {
  console.log('  clientError', error.code, error.reason, error.bytesParsed);
  if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
});

function send(name, text) {
  return new Promise((resolve) => {
    console.log(name);
    let answer = '';
    const socket = net.connect(server.address().port, '127.0.0.1', () => socket.write(text, 'latin1'));
    socket.setEncoding('latin1');
    socket.on('data', (data) => answer += data);
    socket.on('error', (error) => console.log('  socket', error.code));
    socket.on('close', () => {
      console.log(answer.replace(/Date: .*/g, 'Date: now').split('\r\n').map((line) => `  | ${line}`).join('\n'));
      resolve();
    });
  });
}

const end = 'Connection: close\r\n\r\n';
const programs = {
  'plain': `GET / HTTP/1.1\r\nHost: a\r\n${end}`,
  'version 1.0': 'GET / HTTP/1.0\r\n\r\n',
  'no host': 'GET / HTTP/1.1\r\n\r\n',
  'pipelined': `GET /1 HTTP/1.1\r\nHost: a\r\n\r\nPOST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhiGET /3 HTTP/1.1\r\nHost: a\r\n${end}`,
  'chunks and trailers': `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: 1\r\nt: 2\r\n\r\n`,
  'values with spaces': `GET / HTTP/1.1\r\nHost: a\r\nX:   b c  \r\nE:\r\n${end}`,
  'length and chunked': `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'two lengths': `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc`,
  'negative length': `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n`,
  'huge chunk': `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n`,
  'chunk with sign': `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n+3\r\nabc\r\n0\r\n\r\n`,
  'chunked not last': `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n\r\n`,
  'folded line': `GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n${end}`,
  'space before colon': `GET / HTTP/1.1\r\nHost : a\r\n${end}`,
  'bare CR': `GET / HTTP/1.1\r\nHost: a\rX: b\r\n${end}`,
  'bare LF': `GET / HTTP/1.1\nHost: a\n\n`,
  'NUL': `GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n${end}`,
  'no version': 'GET /\r\n\r\n',
  'wrong version': 'GET / HTTP/9.9\r\nHost: a\r\n\r\n',
  'unknown method': 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n',
  'TLS': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'long header': `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(17000)}\r\n${end}`,
  'long url': `GET /${'a'.repeat(17000)} HTTP/1.1\r\nHost: a\r\n${end}`,
  'chunk extensions': `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(17000)}\r\nab\r\n0\r\n\r\n`,
  'preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
};

server.listen(0, '127.0.0.1', async () => {
  for (const name of Object.keys(programs)) await send(name, programs[name]);
  server.close();
});
