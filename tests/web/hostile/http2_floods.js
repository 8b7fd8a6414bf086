'use strict';
// Clients of HTTP/2 that send frames without end. Each ends with GOAWAY or a closed connection, or is slowed down by
// the server; memory is bounded, and the next client is served.
const assert = require('node:assert');
const { once } = require('node:events');
const http2 = require('node:http2');
const { close, drain, host, listen, memory, settled } = require('../fixtures/peers');
const { connectFrames, frame, parse, request, setting, u32 } = require('../fixtures/frames');

const repeat = (count, make) => Buffer.concat(Array.from({ length: count }, (_, i) => make(i)));
const literal = (name, value) =>
  Buffer.concat([Buffer.from([0x40, name.length]), Buffer.from(name), Buffer.from([0x7f, value.length - 127]),
    Buffer.from(value)]);

// Sends `parts` of an endless sequence until the connection ends, or the server does not read any more.
async function flood(port, make, { reads = true, settings } = {}) {
  const socket = await connectFrames(port, settings);
  const ended = reads ? drain(socket) : null;
  let sent = 0;
  let isOver = false;
  socket.on('close', () => { isOver = true; });
  (function more() {
    while (!isOver && !socket.destroyed && sent < 5000) if (!socket.write(make(sent++))) break;
    if (!isOver && sent < 5000) socket.once('drain', more);
    else if (!isOver) socket.end();
  })();
  if (reads) return { frames: parse(await ended), sent };
  await settled(() => sent);
  socket.destroy();
  return { frames: [], sent };
}

const goaway = ({ frames }) => frames.find(({ kind }) => kind === 'goaway')?.code;

function checkEnd(result) {
  assert.ok(result.sent < 5000 && goaway(result) !== undefined, `${result.sent} ${goaway(result)}`);
}
const kProtocolError = 1;
const kCompressionError = 9;
const kCalm = 11;

// The frames that each kind sends without end, and the required reaction of the server.
const kinds = {
  'rapid resets': {
    make: (i) => repeat(20, (j) => {
      const id = 1 + 2 * (20 * i + j);
      return Buffer.concat([frame('headers', 5, id, request), frame('reset', 0, id, u32(8))]);
    }),
    check(result, seen) {
      assert.ok([kCalm, 2].includes(goaway(result)), `GOAWAY ${goaway(result)}`);
      assert.ok(seen.streams < 20_000, `${seen.streams} requests`);
    },
  },
  'settings': {
    make: () => repeat(100, () => frame('settings', 0, 0)), options: { reads: false },
    check: (result) => assert.ok(result.sent < 5000, `${result.sent}`),
  },
  'pings': {
    make: () => repeat(100, () => frame('ping', 0, 0, Buffer.alloc(8))), options: { reads: false },
    check: (result) => assert.ok(result.sent < 5000, `${result.sent}`),
  },
  'continuations': {
    make: (i) => (i === 0 ? frame('headers', 1, 1, request) : frame('continuation', 0, 1, Buffer.alloc(16_000, 0))),
    check: (result) => checkEnd(result),
  },
  'empty continuations': {
    make: (i) => (i === 0 ? frame('headers', 1, 1, request) : repeat(1000, () => frame('continuation', 0, 1))),
    check: (result) => checkEnd(result),
  },
  // One field of 3,900 bytes in the table, named by one byte again and again.
  'compressed fields': {
    make: (i) => frame('headers', 5, 1 + 2 * i, i === 0 ? Buffer.concat([request, literal('x', 'a'.repeat(240))]) :
      Buffer.concat([request, Buffer.alloc(8000, 0xbe)])),
    check: (result, seen) => assert.ok(seen.most < 70_000, `${seen.most} bytes of fields`),
  },
  'wrong indexes': {
    make: (i) => frame('headers', 5, 1 + 2 * i, Buffer.alloc(100, 0xff)),
    check: (result) => assert.strictEqual(goaway(result), kCompressionError),
  },
  'frames that are too long': {
    make: () => frame('data', 0, 1, Buffer.alloc(100_000)),
    check: (result) => assert.ok([6, kProtocolError].includes(goaway(result)), `${goaway(result)}`),
  },
  'data without a request': {
    make: () => frame('data', 0, 1, Buffer.alloc(10)),
    check: (result) => assert.strictEqual(goaway(result), kProtocolError),
  },
};

async function stalledReaders(port, seen) {
  // Responses of 1 MB each that may not be sent, as the window is 0.
  const socket = await connectFrames(port, setting(4, 0));
  const before = memory();
  const ended = drain(socket);
  socket.write(repeat(500, (i) => frame('headers', 5, 1 + 2 * i, Buffer.concat([request.subarray(0, 2),
    Buffer.from([0x04, 4]), Buffer.from('/big'), request.subarray(3)]))));
  await settled(() => seen.streams);
  const growth = memory() - before;
  assert.ok(growth < 200 << 20, `${growth} bytes for ${seen.streams} streams without a window`);
  socket.destroy();
  await ended;
}

async function checkServed(port) {
  const client = http2.connect(`http://${host}:${port}`);
  const stream = client.request({ ':path': '/' });
  let text = '';
  for await (const data of stream.setEncoding('utf8')) text += data;
  assert.strictEqual(text, 'served');
  client.close();
  await once(client, 'close');
}

async function main() {
  const seen = {};
  const big = Buffer.alloc(1 << 20);
  const server = http2.createServer();
  server.on('session', (session) => session.on('error', () => {}));
  server.on('stream', (stream, headers) => {
    seen.streams++;
    seen.most = Math.max(seen.most, JSON.stringify(headers).length);
    stream.on('error', () => {});
    if (stream.destroyed) return;
    stream.respond();
    stream.end(headers[':path'] === '/big' ? big : 'served');
  });
  const port = await listen(server);
  for (const [name, { make, options, check }] of Object.entries(kinds)) {
    Object.assign(seen, { streams: 0, most: 0 });
    const before = memory();
    const result = await flood(port, make, options);
    try {
      check(result, seen);
      const growth = memory() - before;
      assert.ok(growth < 60 << 20, `${growth} bytes are left`);
    } catch (error) {
      error.message = `${name}: ${error.message}`;
      throw error;
    }
    await checkServed(port);
  }
  Object.assign(seen, { streams: 0, most: 0 });
  await stalledReaders(port, seen);
  await checkServed(port);
  await close(server);
  console.log('ok');
}
main();
