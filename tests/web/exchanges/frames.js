'use strict';
// Random frames of HTTP/2, most of them almost valid, for a server with random options.
const http2 = require('node:http2');
const { Wire, describe, digest, finishTicks } = require('./wire');

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const kData = 0;
const kHeaders = 1;
const kContinuation = 9;
const names = ['DATA', 'HEADERS', 'PRIORITY', 'RST_STREAM', 'SETTINGS', 'PUSH_PROMISE', 'PING', 'GOAWAY',
  'WINDOW_UPDATE', 'CONTINUATION',
  'ALTSVC', 'x11', 'ORIGIN', 'x13', 'x14', 'x15', 'PRIORITY_UPDATE'];

function frame(type, flags, id, payload = Buffer.alloc(0)) {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(id >>> 0, 5);
  return Buffer.concat([head, payload]);
}

function u32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

function literal(numbers, name, value) {
  const first = numbers.pick([0x00, 0x00, 0x10, 0x40]); // Without index, never indexed, with index.
  return Buffer.concat([Buffer.from([first, name.length]), Buffer.from(name, 'latin1'), Buffer.from([value.length]),
    Buffer.from(value, 'latin1')]);
}

const fieldNames = ['x-a', 'content-length', 'te', 'connection', 'X-Upper', ':path', ':method', ':scheme', ':status',
  ':protocol', 'host',
  'cookie', '', 'x y', 'transfer-encoding', 'expect', 'upgrade', 'x\x00', ':x'];
const fieldValues = ['', 'a', '5', '0', 'trailers', 'gzip', 'close', '/', 'GET', 'http', '100-continue', 'a\x00',
  'a\n', ' a', '\xe4',
  'x'.repeat(100)];

function block(numbers) {
  const parts = [];
  const method = numbers.pick([0x82, 0x82, 0x83]); // GET, POST
  if (!numbers.oneIn(15)) parts.push(Buffer.from([method]));
  if (!numbers.oneIn(15)) parts.push(Buffer.from([0x86]));
  if (!numbers.oneIn(15)) parts.push(Buffer.from([0x84]));
  if (!numbers.oneIn(4)) parts.push(Buffer.from([0x41, 1, 0x61]));
  for (let i = numbers.below(3); i > 0; i--) {
    if (numbers.oneIn(8)) parts.push(numbers.pick([Buffer.from([0x80]), Buffer.from([0xbe]),
      Buffer.from([0xff, 0xff, 0xff, 0x7f]), Buffer.from([0x20]), Buffer.from([0x3f, 0xe1, 0x1f]),
      numbers.bytes(numbers.below(8))]));
    else if (numbers.oneIn(2)) parts.push(literal(numbers, 'x-field', numbers.pick(['a', 'b', 'x'.repeat(50)])));
    else parts.push(literal(numbers, numbers.pick(fieldNames), numbers.pick(fieldValues)));
  }
  return Buffer.concat(parts);
}

function request(numbers, id) {
  const fields = block(numbers);
  const flags = (numbers.oneIn(2) ? 1 : 0) | 4;
  const kind = numbers.below(10);
  if (kind === 0) {
    const at = numbers.below(fields.length + 1);
    return Buffer.concat([frame(kHeaders, flags & 1, id, fields.subarray(0, at)),
      frame(kContinuation, numbers.oneIn(8) ? 0 : 4, id, fields.subarray(at))]);
  }
  if (kind === 1) {
    const padding = Buffer.alloc(numbers.pick([3, 3, 2]));
    return frame(kHeaders, flags | 8, id, Buffer.concat([Buffer.from([3]), fields, padding]));
  }
  if (kind === 2) {
    const parent = u32(numbers.pick([0, id, 0x80000001]));
    return frame(kHeaders, flags | 0x20, id, Buffer.concat([parent, Buffer.from([9]), fields]));
  }
  return frame(kHeaders, flags, id, fields);
}

const settings = [[1, 4096], [1, 0], [2, 0], [2, 2], [3, 0], [3, 1], [4, 0], [4, 65535], [4, 0x80000000], [5, 16384],
  [5, 100], [6, 10],
  [8, 1], [8, 2], [9, 1], [0x77, 5]];

function settingsFrame(numbers) {
  const parts = [];
  for (let i = numbers.below(3); i > 0; i--) {
    const [id, value] = numbers.pick(settings);
    parts.push(Buffer.from([0, id]), u32(value));
  }
  return frame(4, numbers.oneIn(8) ? 1 : 0, numbers.oneIn(20) ? 1 : 0, Buffer.concat(parts));
}

function goaway(numbers) {
  const last = u32(numbers.pick([0, 1, 0x7fffffff]));
  return frame(7, 0, 0, Buffer.concat([last, u32(numbers.pick([0, 2, 11])), Buffer.from('debug')]));
}

function any(numbers, next) {
  const old = next > 1 ? 1 + 2 * numbers.below((next - 1) / 2) : 1;
  const id = numbers.oneIn(10) ? numbers.pick([0, 2, next + 2, 0x7fffffff]) : old;
  switch (numbers.below(14)) {
    case 0: case 1: case 2:
      return frame(kData, numbers.pick([0, 1]), id, Buffer.alloc(numbers.pick([0, 1, 5, 5, 1000]), 'd'));
    case 3:
      return frame(kData, 8 | numbers.pick([0, 1]), id, Buffer.from([numbers.pick([0, 2, 2, 200]), 0, 0, 0, 0, 0]));
    case 4:
      return frame(2, 0, id, Buffer.concat([u32(numbers.pick([0, 1, 3, id])), Buffer.alloc(numbers.pick([1, 1, 0]))]));
    case 5: return frame(3, 0, id, numbers.oneIn(8) ? Buffer.alloc(3) : u32(numbers.pick([0, 1, 2, 7, 8, 11, 99])));
    case 6: return settingsFrame(numbers);
    case 7:
      return frame(6, numbers.pick([0, 0, 1]), numbers.oneIn(8) ? 1 : 0, Buffer.alloc(numbers.oneIn(8) ? 7 : 8, 'p'));
    case 8: return numbers.oneIn(4) ? goaway(numbers) : Buffer.alloc(0);
    case 9: {
      const size = numbers.oneIn(8) ? Buffer.alloc(3) : u32(numbers.pick([1, 1000, 65535, 0, 0x7fffffff]));
      return frame(8, 0, numbers.pick([0, id]), size);
    }
    case 10: return frame(kHeaders, 5, id, numbers.oneIn(2) ? literal(numbers, 'x-trailer', 'a') : block(numbers));
    case 11: {
      const type = numbers.pick([9, 5, 10, 12, 16, 0x77]);
      return frame(type, numbers.below(256), id, numbers.bytes(numbers.below(20)));
    }
    default: return request(numbers, next);
  }
}

function makeStream(numbers) {
  const parts = [numbers.oneIn(30) ? Buffer.from('GET / HTTP/1.1\r\n\r\n') : preface];
  if (!numbers.oneIn(15)) parts.push(numbers.oneIn(2) ? frame(4, 0, 0) : settingsFrame(numbers));
  let id = 1;
  for (let i = 1 + numbers.below(12); i > 0; i--) {
    if (numbers.oneIn(3)) {
      parts.push(request(numbers, id));
      id += 2;
    } else {
      parts.push(any(numbers, id));
      if (parts.at(-1)[3] === kHeaders) id += 2;
    }
  }
  const bytes = Buffer.concat(parts);
  if (numbers.oneIn(6)) bytes[numbers.below(bytes.length)] ^= 1 << numbers.below(8);
  return numbers.oneIn(8) ? bytes.subarray(0, numbers.below(bytes.length)) : bytes;
}

function makeOptions(numbers) {
  const options = {};
  if (numbers.oneIn(6)) options.settings = { maxConcurrentStreams: 1 + numbers.below(3) };
  if (numbers.oneIn(6)) options.settings = { initialWindowSize: numbers.below(1000), enableConnectProtocol: true };
  if (numbers.oneIn(6)) options.maxHeaderListPairs = 5;
  if (numbers.oneIn(6)) options.maxSessionInvalidFrames = numbers.below(3);
  if (numbers.oneIn(6)) options.maxSessionRejectedStreams = numbers.below(3);
  if (numbers.oneIn(8)) options.maxOutstandingPings = 1;
  if (numbers.oneIn(8)) options.strictFieldWhitespaceValidation = false;
  if (numbers.oneIn(8)) options.unknownProtocolTimeout = 10_000;
  return options;
}

function answerIfOpen(stream, text) {
  if (stream.closed || stream.destroyed) return;
  stream.respond();
  stream.end(text);
}

const answers = [
  (stream) => { stream.respond(); stream.end('text'); },
  (stream) => { stream.respond({ ':status': 204 }, { endStream: true }); },
  (stream) => { stream.respond(); stream.pipe(stream); },
  (stream) => stream.close(8),
  (stream) => stream.destroy(),
  (stream) => stream.destroy(new Error('own')),
  (stream) => {
    stream.respond({}, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ t: 'u' }));
    stream.end('x');
  },
  (stream) => setImmediate(answerIfOpen, stream, 'late'),
  (stream) => { stream.additionalHeaders({ ':status': 103 }); stream.respond(); stream.write('a'); stream.end('b'); },
  (stream) => stream.on('end', () => answerIfOpen(stream, 'after')),
  (stream) => { stream.session.goaway(0); if (!stream.closed) stream.respond(); stream.end(); },
  (stream) => { stream.respond(); stream.end(Buffer.alloc(3000, 'b')); },
];

function log(events, name, ...more) {
  events.push(`${name} ${more.map(describe).join(' ')}`);
}

function listen(server, numbers, events) {
  const choices = Array.from({ length: 5 }, () => numbers.pick(answers));
  let number = 0;
  server.on('session', (session) => {
    session.on('frameError', (type, code, id) => log(events, 'frameError', type, code, id));
    session.on('goaway', (code, id, data) => log(events, 'goaway', code, id, data && digest(Buffer.from(data))));
    session.on('error', (error) => log(events, 'session error', error.code, error.message));
    session.on('close', () => log(events, 'session close'));
    session.on('remoteSettings', (values) => log(events, 'remoteSettings', values));
    session.on('ping', (data) => log(events, 'ping', digest(data)));
  });
  server.on('unknownProtocol', () => log(events, 'unknownProtocol'));
  server.on('stream', (stream, headers, flags, rawHeaders) => {
    const which = number++;
    log(events, `stream ${which}`, stream.id, headers, flags, rawHeaders);
    const parts = [];
    stream.on('data', (data) => parts.push(data));
    for (const event of ['end', 'aborted', 'error']) {
      stream.on(event, (error) => log(events, `${which} ${event}`, error?.code, error?.message,
        digest(Buffer.concat(parts))));
    }
    stream.on('close', () => log(events, `${which} close`, digest(Buffer.concat(parts))));
    stream.on('trailers', (trailers) => log(events, `${which} trailers`, trailers));
    if (stream.destroyed) return;
    try {
      choices[which % choices.length](stream);
    } catch (error) {
      log(events, `${which} thrown`, error.code); // The peer has closed the stream already.
    }
  });
}

// The frames that were sent, without the contents of DATA and HEADERS.
function summary(text) {
  const bytes = Buffer.from(text, 'latin1');
  const found = [];
  let at = 0;
  for (; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
    const size = bytes.readUIntBE(at, 3);
    const payload = bytes.subarray(at + 9, at + 9 + size);
    const type = bytes[at + 3];
    const shown = type === kData || type === kHeaders ? size : payload.toString('hex').slice(0, 60);
    const name = names[type] ?? type;
    found.push(`${name} ${bytes[at + 4]} ${bytes.readUInt32BE(at + 5)} ${type === kHeaders ? '' : shown}`);
  }
  return found;
}

async function run(numbers) {
  const events = [];
  const server = http2.createServer(makeOptions(numbers));
  listen(server, numbers, events);
  const input = makeStream(numbers);
  const shown = [`input ${input.toString('hex')}`,
    ...summary(input.subarray(24).toString('latin1')).map((line) => `  ${line}`)];
  const wire = new Wire(events);
  server.emit('connection', wire);
  const step = numbers.oneIn(2) ? input.length : 1 + numbers.below(60);
  for (let at = 0; at < input.length && !wire.destroyed; at += step) {
    wire.receive(input.subarray(at, at + step));
    await finishTicks();
  }
  await finishTicks();
  if (!wire.destroyed && !wire.hasEnded) wire.receive(null);
  for (let i = 0; i < 3; i++) await finishTicks();
  wire.destroy();
  server.close();
  await finishTicks();
  // Sorted: a Duplex ends in another turn than in Node.
  return [...shown, ...events.filter((event) => !event.startsWith('wire ')).sort(),
    ...summary(wire.sent).map((line) => `sent ${line}`)];
}

module.exports = { run };
