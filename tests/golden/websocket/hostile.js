'use strict';
// Servers that break the protocol with lengths, codes and floods of frames, and in their response: see also closing.js.
const { createHash } = require('node:crypto');
const http = require('node:http');

const kGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const bytes = (...list) => Buffer.from(list);
const text = (value, first = 0x81) => Buffer.concat([bytes(first, value.length), Buffer.from(value, 'latin1')]);
const long = (size, first = 0x82) => {
  const head = Buffer.alloc(10);
  head[0] = first;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(size), 2);
  return head;
};

const attacks = {
  'a compressed frame, not negotiated': text('a', 0xc1),
  'an unknown control opcode': text('a', 0x8b),
  'a cut character': text('\xc3'),
  'a length of 2^63': long(1n << 63n),
  'a length of 2^53': long(1n << 53n),
  'a close with code 1005': bytes(0x88, 2, 0x03, 0xed),
  'a close with code 999': bytes(0x88, 2, 0x03, 0xe7),
  'data after the close': Buffer.concat([bytes(0x88, 2, 0x03, 0xe8), text('late')]),
  'a cut frame': bytes(0x81, 5, 0x61),
  'many empty fragments': Buffer.concat([text('a', 0x01), Buffer.concat(Array(5000).fill(bytes(0, 0))), text('b', 0x80),
    bytes(0x88, 2, 0x03, 0xe8)]),
  'many pings': Buffer.concat([...Array(5000).fill(bytes(0x89, 0)), text('after'), bytes(0x88, 2, 0x03, 0xe8)]),
};

const answers = {
  'a wrong key': (key) => `Sec-WebSocket-Accept: ${key}`,
  'no key': () => 'X: y',
  'a protocol that was not asked for': (key, accept) => `Sec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: x`,
  'an unknown extension': (key, accept) => `Sec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Extensions: x`,
};

function connect(respond, after) {
  return new Promise((resolve) => {
    const server = http.createServer();
    server.on('upgrade', (request, socket) => {
      const key = request.headers['sec-websocket-key'];
      const accept = createHash('sha1').update(key + kGuid).digest('base64');
      const head = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n';
      socket.on('error', () => {});
      socket.on('close', () => server.close());
      socket.write(`${head}${respond(key, accept)}\r\n\r\n`);
      socket.end(after);
      socket.resume();
    });
    server.listen(0, '127.0.0.1', () => {
      const client = new WebSocket(`ws://127.0.0.1:${server.address().port}`);
      const events = [];
      client.onopen = () => events.push('open');
      client.onmessage = ({ data }) => events.push(`message ${data}`);
      client.onerror = () => events.push('error');
      client.onclose = ({ code, wasClean }) => {
        events.push(`close ${code} ${wasClean}`);
        server.close(() => resolve(events.join(', ')));
      };
    });
  });
}

(async () => {
  for (const [name, frames] of Object.entries(attacks)) {
    console.log(name, '-', await connect((key, accept) => `Sec-WebSocket-Accept: ${accept}`, frames));
  }
  for (const [name, respond] of Object.entries(answers)) console.log(name, '-', await connect(respond, ''));
})();
