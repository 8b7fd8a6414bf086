'use strict';
// Input that tries to fill the memory, to keep the server busy, or to smuggle a request. Each connection ends, and the
// server answers the next one.
const http = require('http');
const net = require('net');
const { exchange, show } = require('../fixtures/raw');

const log = console.log;
let seen = [];
const server = http.createServer((request, response) => {
  seen.push(`${request.method} ${request.url}`);
  let size = 0;
  request.on('data', (data) => size += data.length);
  request.on('error', () => {});
  request.on('end', () => {
    response.sendDate = false;
    response.end(`${size}`);
  });
});
server.on('clientError', (error, socket) => {
  seen.push(error.code);
  if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
});

const host = 'Host: a\r\n';
const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';
const post = (fields, body = '') => `POST / HTTP/1.1\r\n${host}${fields.map((field) => `${field}\r\n`).join('')}\r\n${body}`;
const chunked = 'Transfer-Encoding: chunked';
const close = 'Connection: close';
const attacks = {
  'length, then chunked': post(['Content-Length: 6', chunked], `0\r\n\r\n${smuggled}`),
  'chunked, then length': post([chunked, 'Content-Length: 6'], `0\r\n\r\n${smuggled}`),
  'equal lengths': post(['Content-Length: 3', 'Content-Length: 3', close], `abc${smuggled}`),
  'list of lengths': post(['Content-Length: 3, 3'], `abc${smuggled}`),
  'different lengths': post(['Content-Length: 3', 'Content-Length: 0'], `abc${smuggled}`),
  'length with plus': post(['Content-Length: +3'], `abc${smuggled}`),
  'length in hexadecimal': post(['Content-Length: 0x3'], `abc${smuggled}`),
  'length with space': post(['Content-Length: 3 3'], `abc${smuggled}`),
  'empty length': post(['Content-Length: '], smuggled),
  'length of 2^64 + 3': post(['Content-Length: 18446744073709551619'], `abc${smuggled}`),
  'chunked twice': post([chunked, chunked, close], `0\r\n\r\n${smuggled}`),
  'chunked with tab': post(['Transfer-Encoding:\tchunked', close], `0\r\n\r\n${smuggled}`),
  'chunked in quotes': post(['Transfer-Encoding: "chunked"'], `0\r\n\r\n${smuggled}`),
  'chunked with vertical tab': post(['Transfer-Encoding: \x0bchunked'], `0\r\n\r\n${smuggled}`),
  'chunkedx': post(['Transfer-Encoding: chunkedx'], `0\r\n\r\n${smuggled}`),
  'x, chunked': post(['Transfer-Encoding: x, chunked', close], `0\r\n\r\n${smuggled}`),
  'identity': post(['Transfer-Encoding: identity'], smuggled),
  'encoding with underscore': post(['Transfer_Encoding: chunked', close], smuggled),
  'encoding in HTTP/1.0': `POST / HTTP/1.0\r\n${chunked}\r\nContent-Length: 3\r\n\r\n0\r\n\r\n`,
  'space before colon': post(['Content-Length : 3'], `abc${smuggled}`),
  'folded encoding': post(['Transfer-Encoding:', ' chunked'], `0\r\n\r\n${smuggled}`),
  'name with CR': post(['X: a\rContent-Length: 3'], `abc${smuggled}`),
  'name with LF': post(['X: a\nContent-Length: 3', close], `abc${smuggled}`),
  'bare CR after a chunk': post([chunked, close], `1\r\na\r0\r\n\r\n${smuggled}`),
  'bare LF after a chunk': post([chunked, close], `1\na\n0\n\n${smuggled}`),
  'spaces after the size': post([chunked, close], `1  \r\na\r\n0\r\n\r\n${smuggled}`),
  'LF in an extension': post([chunked, close], `1;a\nb\r\na\r\n0\r\n\r\n${smuggled}`),
  'size with 0x': post([chunked], `0x1\r\na\r\n0\r\n\r\n${smuggled}`),
  'size with underscore': post([chunked], `1_0\r\na\r\n0\r\n\r\n${smuggled}`),
  'size of 2^64': post([chunked], `10000000000000000\r\na\r\n0\r\n\r\n${smuggled}`),
  'empty size': post([chunked], `\r\na\r\n0\r\n\r\n${smuggled}`),
  'chunk longer than its size': post([chunked], `1\r\nabc\r\n0\r\n\r\n${smuggled}`),
  'fields in trailers': post([chunked, close], `0\r\nContent-Length: 3\r\nHost: b\r\n\r\n${smuggled}`),
  'wrong trailer': post([chunked, close], `0\r\nX : a\r\n\r\n${smuggled}`),
  'empty lines before': `\r\n\r\n\r\n${post(['Content-Length: 0', close])}`,
  'space in the url': `GET /a b HTTP/1.1\r\n${host}${close}\r\n\r\n`,
  'tab in the line': `GET\t/\tHTTP/1.1\r\n${host}\r\n`,
  'NUL in the url': `GET /\0 HTTP/1.1\r\n${host}\r\n`,
  'Latin-1 in the url': `GET /\xe4 HTTP/1.1\r\n${host}${close}\r\n\r\n`,
  'absolute url': `GET http://b/ HTTP/1.1\r\n${host}${close}\r\n\r\n`,
  'two hosts': `GET / HTTP/1.1\r\n${host}${host}${close}\r\n\r\n`,
  'lower-case method': `get / HTTP/1.1\r\n${host}\r\n`,
  'method only': 'GET\r\n\r\n',
  'response': 'HTTP/1.1 200 OK\r\n\r\n',
  'name without value': `GET / HTTP/1.1\r\n${host}X\r\n\r\n`,
  'empty name': `GET / HTTP/1.1\r\n${host}: a\r\n\r\n`,
  'after close': post(['Content-Length: 0', close], smuggled),
  '1 MiB in one field': `GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(1 << 20)}\r\n\r\n`,
  '1 MiB in many fields': `GET / HTTP/1.1\r\n${host}${'X: a\r\n'.repeat(180_000)}\r\n`,
  '1 MiB of url': `GET /${'a'.repeat(1 << 20)} HTTP/1.1\r\n${host}\r\n`,
  '1 MiB of method': 'G'.repeat(1 << 20),
  '1 MiB of trailers': post([chunked], `0\r\n${'X: a\r\n'.repeat(180_000)}\r\n`),
  '1 MiB of an extension': post([chunked], `1;${'a'.repeat(1 << 20)}\r\na\r\n0\r\n\r\n`),
  'extensions of many chunks': post([chunked, close], `${`1;${'a'.repeat(1000)}\r\na\r\n`.repeat(1000)}0\r\n\r\n`),
  '1 MiB of zeros in a size': post([chunked], '0'.repeat(1 << 20)),
  '1 MiB of empty lines': '\r\n'.repeat(1 << 19),
  'chunks of one byte': post([chunked, close], `${'1\r\na\r\n'.repeat(100_000)}0\r\n\r\n`),
};

// Only whether there is an answer: a reset can overtake it when much of what was sent has not been read.
const firstLine = (answer) => answer.replace('<ECONNRESET>', '').replace('<EPIPE>', '').split('\r\n')[0];

server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  for (const [name, text] of Object.entries(attacks)) {
    seen = [];
    const closed = new Promise((resolve) => server.once('connection', (socket) => socket.once('close', resolve)));
    const answer = await exchange(port, text, { isHalfClosed: true });
    await closed;
    if (text.length > 20_000) {
      log(name, new Set(seen), ['', 'HTTP/1.1 400 Bad Request', 'HTTP/1.1 200 OK'].includes(firstLine(answer)));
    } else {
      log(name, seen);
      show(answer);
    }
  }
  log('half-closed');
  for (const text of ['', 'G', 'GET / HTTP/1.1\r\nHo', `GET / HTTP/1.1\r\n${host}\r\n`, post(['Content-Length: 3'], 'a'),
    post([chunked], '5\r\nab'), `GET /1 HTTP/1.1\r\n${host}\r\nGET /2 HTTP/1.1\r\n${host}\r\n`]) {
    seen = [];
    show(await exchange(port, text, { isHalfClosed: true }));
    log(seen);
  }
  await flood(port);
  log(process.memoryUsage().rss < 400 * 1024 * 1024);
  server.close();
});

// Many connections that never finish their requests.
async function flood(port) {
  const sockets = [];
  for (let i = 0; i < 200; i++) {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => {});
    sockets.push(socket);
    socket.write(`GET /${i} HTTP/1.1\r\nX: ${'a'.repeat(5000)}`);
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  show(await exchange(port, `GET / HTTP/1.1\r\n${host}${close}\r\n\r\n`));
  for (const socket of sockets) socket.destroy();
}
