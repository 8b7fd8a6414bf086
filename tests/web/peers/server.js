'use strict';
// The server that other programs talk to: HTTP/1.1, HTTP/2 without TLS, and both with TLS, with the same resources.
// Prints the ports as JSON, and ends with its standard input. On /done the body is printed.
const crypto = require('node:crypto');
const fs = require('node:fs');
const http = require('node:http');
const http2 = require('node:http2');
const https = require('node:https');
const path = require('node:path');
const zlib = require('node:zlib');

const { ca, pair } = require('../../golden/tls/fixtures/keys');

const block = Buffer.alloc(64 * 1024, 'rondo ');

const resources = {
  '/': (request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(fs.readFileSync(path.join(__dirname, 'page.html')));
  },
  '/hello': (request, response) => response.end('hello\n'),
  '/echo': (request, response) => request.pipe(response),
  '/digest': (request, response) => {
    const hash = crypto.createHash('sha256');
    request.on('data', (data) => hash.update(data)).on('end', () => response.end(hash.digest('hex')));
  },
  // As many bytes as the search part says.
  '/big': (request, response, url) => {
    let left = Number(url.search.slice(1));
    (function more() {
      while (left > 0) {
        const part = block.subarray(0, Math.min(left, block.length));
        left -= part.length;
        if (!response.write(part)) return response.once('drain', more);
      }
      response.end();
    })();
  },
  '/version': (request, response) => {
    response.setHeader('X-Version', request.httpVersion);
    response.end(`${request.httpVersion} ${request.socket.getProtocol?.() ?? 'plain'} ${
      request.socket.getPeerCertificate?.()?.subject?.CN ?? 'anonymous'}\n`);
  },
  '/compressed': (request, response) => {
    const accepted = request.headers['accept-encoding'] ?? '';
    const kinds = { br: zlib.createBrotliCompress, gzip: zlib.createGzip, deflate: zlib.createDeflate };
    const kind = Object.keys(kinds).find((name) => accepted.includes(name));
    if (kind === undefined) return response.end(block);
    response.setHeader('Content-Encoding', kind);
    const stream = kinds[kind]();
    stream.pipe(response);
    stream.end(block);
  },
  '/trailers': (request, response) => {
    if (request.httpVersionMajor === 1) response.setHeader('Trailer', 'X-Sum');
    response.write('body');
    response.addTrailers({ 'X-Sum': '4' });
    response.end();
  },
  '/events': (request, response) => {
    response.setHeader('Content-Type', 'text/event-stream');
    for (let i = 0; i < 3; i++) response.write(`id: ${i}\ndata: event ${i}\n\n`);
    // The browser connects again, and says which event was the last.
    response.end(`data: last ${request.headers['last-event-id'] ?? 'none'}\n\n`);
  },
  '/done': (request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (data) => { text += data; }).on('end', () => {
      response.end();
      console.log(text);
    });
  },
};

function onRequest(request, response) {
  const url = new URL(request.url, 'http://a');
  const resource = resources[url.pathname];
  request.on('error', () => {});
  response.on('error', () => {});
  if (resource) return resource(request, response, url);
  response.statusCode = 404;
  response.end('not found\n');
}

// WebSocket, as little as it takes: echoes messages of up to 64 KiB, and answers the close.
function onUpgrade(request, socket, head) {
  socket.on('error', () => {});
  if (request.headers.upgrade?.toLowerCase() !== 'websocket') return socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  const accept = crypto.createHash('sha1')
    .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
    `Sec-WebSocket-Accept: ${accept}\r\n\r\n`);
  let input = head;
  function parse() {
    for (;;) {
      if (input.length < 2) return;
      const opcode = input[0] & 15;
      const short = input[1] & 127;
      const at = short === 126 ? 4 : 2;
      if (short === 127) return socket.destroy();
      if (input.length < at + 4) return;
      const size = short === 126 ? input.readUInt16BE(2) : short;
      if (input.length < at + 4 + size) return;
      const mask = input.subarray(at, at + 4);
      const payload = Buffer.from(input.subarray(at + 4, at + 4 + size)).map((byte, i) => byte ^ mask[i & 3]);
      const first = input[0];
      input = input.subarray(at + 4 + size);
      const length = size < 126 ? Buffer.from([size]) : Buffer.from([126, size >> 8, size & 255]);
      socket.write(Buffer.concat([Buffer.from([first]), length, payload]));
      if (opcode === 8) return socket.end();
    }
  }
  socket.on('data', (data) => {
    input = Buffer.concat([input, data]);
    parse();
  });
  parse();
}

const secure = { ...pair('server'), ca, requestCert: true, rejectUnauthorized: false };
const servers = {
  http: http.createServer(onRequest),
  h2c: http2.createServer(onRequest),
  https: https.createServer(secure, onRequest),
  h2: http2.createSecureServer({ ...secure, allowHTTP1: true }, onRequest),
};

async function main() {
  const ports = {};
  for (const [name, server] of Object.entries(servers)) {
    server.on('upgrade', onUpgrade);
    server.on('sessionError', () => {});
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    ports[name] = server.address().port;
  }
  console.log(JSON.stringify(ports));
  process.stdin.resume().on('end', () => process.exit());
}
main();
