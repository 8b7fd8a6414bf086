'use strict';
// Servers whose responses never end: a client that does not read stops them, and limits of heads and extensions hold.
const assert = require('node:assert');
const { once } = require('node:events');
const http = require('node:http');
const net = require('node:net');
const { host, listen, memory, settled } = require('../fixtures/peers');

const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`;
const kinds = {
  'head': { first: ok, then: 'X: y\r\n', code: 'HPE_HEADER_OVERFLOW' },
  'field': { first: `${ok}X: `, then: 'yyyy', code: 'HPE_HEADER_OVERFLOW' },
  'reason': { first: 'HTTP/1.1 200 ', then: 'O', code: 'HPE_HEADER_OVERFLOW' },
  'chunk extension': { first: `${chunked}1;`, then: 'x', response: 'HPE_CHUNK_EXTENSIONS_OVERFLOW' },
  'trailers': { first: `${chunked}0\r\n`, then: 'X: y\r\n', response: 'HPE_HEADER_OVERFLOW' },
  'chunk size': { first: chunked, then: 'f', response: 'HPE_INVALID_CHUNK_SIZE' },
};

// Writes without end, as fast as the client reads. Counts the bytes that the kernel has taken.
function serve({ first, then }) {
  const part = then.repeat(Math.ceil(16_384 / then.length));
  const server = net.createServer((socket) => {
    server.socket = socket;
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(first);
      (function more() {
        while (!socket.destroyed && socket.write(part));
      })();
      socket.on('drain', () => { while (!socket.destroyed && socket.write(part)); });
    });
  });
  return server;
}

async function withServer(kind, use) {
  const server = serve(kind);
  const request = http.get({ port: await listen(server), host, agent: false });
  await use(request, server);
  request.destroy();
  server.socket?.destroy();
  server.close();
  await once(server, 'close');
}

async function refused({ first, then, code, response: responseCode }) {
  await withServer({ first, then }, async (request) => {
    const events = [];
    request.on('error', (error) => events.push(error.code));
    request.on('response', (response) => {
      response.on('error', (error) => events.push(`response ${error.code}`));
      response.resume();
    });
    await new Promise((resolve) => request.on('close', resolve));
    assert.deepStrictEqual(events.filter((event) => event !== 'response ECONNRESET'), [code ?? responseCode]);
  });
}

// An endless body: a client that does not read stops the server.
async function unread() {
  await withServer({ first: `${ok}\r\n`, then: 'b' }, async (request, server) => {
    const [response] = await once(request, 'response');
    const written = await settled(() => server.socket.bytesWritten);
    assert.ok(written < 64 << 20, `${written} bytes were sent to a client that reads none`);
    let read = 0;
    for await (const data of response) {
      read += data.length;
      if (read > 1 << 20) break;
    }
    response.destroy();
  });
}

async function interim() {
  await withServer({ first: '', then: 'HTTP/1.1 102 Processing\r\nX: y\r\n\r\n' }, async (request) => {
    let count = 0;
    let before;
    await new Promise((resolve) => request.on('information', () => {
      count++;
      if (count === 1000) before = memory();
      if (count === 50_000) resolve();
    }));
    const growth = memory() - before;
    assert.ok(growth < 20 << 20, `${growth} bytes for 49,000 interim responses`);
    request.on('error', () => {});
  });
}

async function main() {
  for (const kind of Object.values(kinds)) await refused(kind);
  await unread();
  await interim();
  console.log('ok');
}
main();
