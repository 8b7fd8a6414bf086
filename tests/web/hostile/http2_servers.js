'use strict';
// Servers of HTTP/2 that send frames without end to a client: its session ends with an error, or the server is slowed
// down.
const assert = require('node:assert');
const { once } = require('node:events');
const http2 = require('node:http2');
const net = require('node:net');
const { host, listen, memory, settled } = require('../fixtures/peers');
const { frame, u32 } = require('../fixtures/frames');

const repeat = (count, make) => Buffer.concat(Array.from({ length: count }, (_, i) => make(i)));
const status = Buffer.from([0x88]); // :status 200
const interim = Buffer.concat([Buffer.from([0x08, 3]), Buffer.from('103')]);
const path = Buffer.from([0x82, 0x86, 0x84, 0x41, 1, 0x61]);

const failures = ['ERR_HTTP2_ERROR', 'ERR_HTTP2_SESSION_ERROR', 'ECONNRESET', 'EPIPE'];

// The frames that each kind sends without end in response to a request, and the error codes with which the client may
// end. Without codes the client continues, and its memory does not grow.
const kinds = {
  'settings': { make: () => repeat(100, () => frame('settings', 0, 0)), reads: false },
  'pings': { make: () => repeat(100, () => frame('ping', 0, 0, Buffer.alloc(8))), reads: false },
  'continuations': {
    make: (i) => (i === 0 ? frame('headers', 0, 1, status) : frame('continuation', 0, 1, Buffer.alloc(16_000))),
    codes: failures,
  },
  'interim responses': { make: () => repeat(100, () => frame('headers', 4, 1, interim)) },
  'pushed requests': {
    make: (i) => repeat(100, (j) => frame('push', 4, 1, Buffer.concat([u32(2 + 2 * (100 * i + j)), path]))),
  },
  'settings that are not allowed': {
    make: () => frame('settings', 0, 0, Buffer.alloc(5)), codes: failures,
  },
  'another protocol': {
    make: () => Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), codes: failures,
  },
};

function serve(make, seen) {
  return net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(frame('settings', 0, 0));
      (function more() {
        while (!socket.destroyed && seen.sent < 3000) if (!socket.write(make(seen.sent++))) break;
        if (!socket.destroyed && seen.sent < 3000) socket.once('drain', more);
      })();
    });
    if (seen.reads) socket.resume();
    seen.socket = socket;
  });
}

async function attack({ make, codes, reads = true }) {
  const seen = { sent: 0, reads, socket: null };
  const server = serve(make, seen);
  const client = http2.connect(`http://${host}:${await listen(server)}`);
  const errors = [];
  client.on('error', (error) => errors.push(error.code));
  const closed = new Promise((resolve) => client.on('close', resolve));
  const before = memory();
  const stream = client.request({ ':path': '/' });
  stream.on('error', (error) => errors.push(error.code));
  stream.on('push', () => {});
  stream.resume();
  if (codes) await closed;
  else await settled(() => seen.sent);
  const growth = memory() - before;
  assert.ok(growth < 60 << 20, `${growth} bytes`);
  if (codes) for (const code of errors) assert.ok(codes.includes(code) || code === 'ERR_HTTP2_STREAM_ERROR', code);
  client.destroy();
  await closed;
  seen.socket.destroy();
  server.close();
  await once(server, 'close');
}

async function main() {
  for (const [name, kind] of Object.entries(kinds)) {
    try {
      await attack(kind);
    } catch (error) {
      error.message = `${name}: ${error.message}`;
      throw error;
    }
  }
  console.log('ok');
}
main();
