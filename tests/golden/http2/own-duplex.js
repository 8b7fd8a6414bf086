'use strict';
// A server on a Duplex of the program: an error of the session is not an error of the Duplex, which closes.
const http2 = require('http2');
const { Duplex } = require('stream');

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
function frame(type, flags, id, payload = Buffer.alloc(0)) {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(id, 5);
  return Buffer.concat([head, payload]);
}

const inputs = {
  'wrong settings': [preface, frame(4, 0, 0, Buffer.alloc(5))],
  'a ping of a wrong size': [preface, frame(4, 0, 0), frame(6, 0, 0, Buffer.alloc(7))],
  'no settings': [preface, frame(6, 0, 0, Buffer.alloc(8))],
  'another protocol': [Buffer.from('GET / HTTP/1.1\r\n\r\n')],
};

async function connect(parts) {
  const events = [];
  const server = http2.createServer();
  const duplex = new Duplex({ read() {}, write(data, encoding, callback) { callback(); } });
  duplex.on('error', (error) => events.push(`duplex ${error.code}`));
  const closed = [new Promise((resolve) => duplex.on('close', resolve))];
  server.on('session', (session) => {
    session.on('error', (error) => events.push(`session ${error.code}`));
    closed.push(new Promise((resolve) => session.on('close', resolve)));
    session.on('close', () => events.push('session close'));
  });
  server.emit('connection', duplex);
  duplex.push(Buffer.concat(parts));
  await Promise.all(closed);
  return events;
}

(async () => {
  for (const [name, parts] of Object.entries(inputs)) console.log(name, await connect(parts));
})();
