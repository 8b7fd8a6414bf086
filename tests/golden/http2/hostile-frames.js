'use strict';
// Clients that break the protocol: bad prefaces, floods, frames that are not allowed.
const http2 = require('http2');
const net = require('net');

const kPreface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
function frame(type, flags, id, payload = Buffer.alloc(0)) {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(id, 5);
  return Buffer.concat([head, payload]);
}
const u32 = (value) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const settings = frame(4, 0, 0);
const field = (name, value) =>
  Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)]);
// :method GET, :scheme http, :path /, and an authority.
const request = Buffer.concat([Buffer.from([0x82, 0x86, 0x84, 0x41, 1]), Buffer.from('a')]);
const begin = [kPreface, settings];
const many = (count, part) => Buffer.concat(Array.from({ length: count }, (_, i) => part(i)));

const attacks = {
  'nothing': [],
  'part of the preface': [kPreface.subarray(0, 10)],
  'another protocol': [Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n')],
  'no settings': [kPreface, frame(6, 0, 0, Buffer.alloc(8))],
  'settings of a wrong size': [...begin, frame(4, 0, 0, Buffer.alloc(5))],
  'a ping of a wrong size': [...begin, frame(6, 0, 0, Buffer.alloc(7))],
  'an answer to no ping': [...begin, frame(6, 1, 0, Buffer.alloc(8))],
  'an answer to no settings': [...begin, frame(4, 1, 0), frame(4, 1, 0)],
  'a frame that is too long': [...begin, frame(0, 0, 1, Buffer.alloc(16385))],
  'data on an idle stream': [...begin, frame(0, 0, 1, Buffer.alloc(1))],
  'a request with an even id': [...begin, frame(1, 5, 2, request)],
  'a window of 2^31': [...begin, frame(8, 0, 0, u32(0x7fffffff)), frame(8, 0, 0, u32(0x7fffffff))],
  'a window update of 0': [...begin, frame(8, 0, 0, u32(0))],
  'bad compression': [...begin, frame(1, 5, 1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff]))],
  'a field of 70,000 bytes': [...begin, frame(1, 1, 1, Buffer.concat([request, Buffer.from([0, 1, 0x61])])),
                              many(5, () => frame(9, 0, 1, Buffer.alloc(16000, 0x61)))],
  'other frames in a header block': [...begin, frame(1, 1, 1, request), frame(6, 0, 0, Buffer.alloc(8))],
  'many continuations': [...begin, frame(1, 1, 1, request), many(200, () => frame(9, 0, 1))],
  'many fields': [...begin, frame(1, 5, 1, Buffer.concat([request, many(200, (i) => field(`x-${100 + i}`, 'y'))]))],
  'an upper case field': [...begin, frame(1, 5, 1, Buffer.concat([request, field('X-Upper', 'y')]))],
  'a field of HTTP/1': [...begin, frame(1, 5, 1, Buffer.concat([request, field('connection', 'close')]))],
  'no path': [...begin, frame(1, 5, 1, Buffer.from([0x82, 0x86]))],
  'empty frames': [...begin, frame(1, 4, 1, request), many(1100, () => frame(0, 0, 1))],
  'padding longer than the frame': [...begin, frame(1, 4, 1, request), frame(0, 8, 1, Buffer.from([200, 1, 2]))],
  'data after the end': [...begin, frame(1, 5, 1, request), frame(0, 1, 1, Buffer.alloc(3))],
  'more data than announced':
    [...begin, frame(1, 4, 1, Buffer.concat([request, field('content-length', '1')])), frame(0, 1, 1, Buffer.alloc(3))],
  'a push by the client': [...begin, frame(5, 4, 1, Buffer.concat([u32(2), request]))],
  'unknown frames': [...begin, many(20, () => frame(0x77, 0xff, 1, Buffer.alloc(10))), frame(7, 0, 0, Buffer.alloc(8))],
  'a flood of settings': [...begin, many(1500, () => settings)],
  'a flood of pings': [...begin, many(1500, () => frame(6, 0, 0, Buffer.alloc(8)))],
  'rapid resets': [...begin, many(1500, (i) => Buffer.concat([frame(1, 5, 2 * i + 1, request), frame(3, 0, 2 * i + 1, u32(8))]))],
  'GOAWAY with an error': [...begin, frame(7, 0, 0, Buffer.concat([u32(0), u32(11), Buffer.from('why')]))],
};

const kFrameNames = ['DATA', 'HEADERS', 'PRIORITY', 'RST_STREAM', 'SETTINGS', 'PUSH_PROMISE', 'PING', 'GOAWAY', 'WINDOW_UPDATE'];
// The frames that the server has sent: the codes of resets and GOAWAYs, the number of others.
function summary(bytes) {
  const counts = new Set();
  for (let at = 0; at + 9 <= bytes.length;) {
    const size = bytes.readUIntBE(at, 3);
    const type = kFrameNames[bytes[at + 3]];
    const code = type === 'RST_STREAM' ? bytes.readUInt32BE(at + 9) : type === 'GOAWAY' ? bytes.readUInt32BE(at + 13) : '';
    counts.add(`${type} ${code}`.trim());
    at += 9 + size;
  }
  return [...counts].filter((text) => text.startsWith('RST') || text.startsWith('GOAWAY') || text === 'HEADERS').sort().join(', ');
}

async function attack(name, parts) {
  const events = new Set();
  const server = http2.createServer();
  server.on('session', (session) => {
    session.on('frameError', (type, code) => events.add(`frameError ${type} ${code}`));
    session.on('goaway', (code) => events.add(`goaway ${code}`));
    session.on('close', () => events.add('session close'));
  });
  server.on('sessionError', (error) => events.add(`${error.code} ${error.errno ?? ''} ${error.message}`));
  server.on('stream', (stream) => {
    events.add('stream');
    stream.on('error', (error) => events.add(`stream ${error.code} ${error.message}`));
    stream.on('aborted', () => events.add('aborted'));
    stream.resume();
    if (!stream.destroyed) stream.respond();
    stream.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const received = [];
  await new Promise((resolve) => {
    const socket = net.connect(server.address().port, '127.0.0.1');
    socket.on('data', (data) => received.push(data));
    socket.on('error', () => {});
    socket.on('close', resolve);
    socket.on('connect', () => {
      for (const part of parts) socket.write(part);
      socket.end();
    });
  });
  await new Promise((resolve) => server.close(resolve));
  console.log(`${name}: ${summary(Buffer.concat(received))}`);
  for (const event of events) console.log(`  ${event}`);
}

(async () => {
  for (const name in attacks) await attack(name, attacks[name]);
})();
