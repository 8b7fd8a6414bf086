'use strict';
// Random frames of WebSocket, most of them almost valid, from a server to a WebSocket of the program.
const { createHash } = require('node:crypto');
const { once } = require('node:events');
const net = require('node:net');
const zlib = require('node:zlib');
const { digest } = require('./wire');

const kGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const kPatienceMs = 3000;
const kText = 1;
const kClose = 8;
const opcodes = [kText, kText, kText, 2, 2, 9, 10];
const rareOpcodes = [0, 3, kClose, 11, 15];
const texts = ['', 'hello', '\xe9', '\u20ac', 'x'.repeat(125), 'x'.repeat(126), 'x'.repeat(70_000)];
const codes = [1000, 1001, 1005, 1006, 1011, 3000, 4999, 5000, 0, 999];
const extensions = ['permessage-deflate', 'permessage-deflate', 'permessage-deflate; server_no_context_takeover',
  'permessage-deflate; client_max_window_bits=8', 'permessage-deflate; x', 'x-other',
  'permessage-deflate, permessage-deflate'];

function frame({ opcode, payload, isFinal = true, reserved = 0, mask = false, length = payload.length }) {
  const head = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode];
  const masked = mask ? 0x80 : 0;
  if (length < 126) head.push(masked | length);
  else if (length < 65_536) head.push(masked | 126, length >> 8, length & 255);
  else head.push(masked | 127, 0, 0, 0, 0, length >>> 24, length >> 16 & 255, length >> 8 & 255, length & 255);
  if (mask) head.push(0, 0, 0, 0);
  return Buffer.concat([Buffer.from(head), payload]);
}

function makePayload(numbers, opcode) {
  if (opcode === kClose) {
    if (numbers.oneIn(4)) return numbers.bytes(numbers.below(3));
    const code = numbers.pick(codes);
    const reason = numbers.oneIn(4) ? numbers.bytes(3) : Buffer.from(numbers.pick(texts.slice(0, 4)));
    return Buffer.concat([Buffer.of(code >> 8, code & 255), reason]);
  }
  if (numbers.oneIn(4)) return numbers.bytes(numbers.below(200));
  return Buffer.from(numbers.pick(opcode >= kClose ? texts.slice(0, 6) : texts));
}

function makeFrame(numbers, isCompressed) {
  const opcode = numbers.pick(numbers.oneIn(12) ? rareOpcodes : opcodes);
  let payload = makePayload(numbers, opcode);
  let reserved = numbers.oneIn(40) ? numbers.below(8) : 0;
  if (isCompressed && opcode < 3 && numbers.oneIn(2)) {
    // The end of an empty block is not sent.
    payload = zlib.deflateRawSync(payload, { finishFlush: zlib.constants.Z_SYNC_FLUSH }).subarray(0, -4);
    if (numbers.oneIn(6)) payload = numbers.bytes(payload.length);
    reserved = 4;
  }
  return frame({
    opcode, payload, reserved, isFinal: !numbers.oneIn(20), mask: numbers.oneIn(40),
    length: numbers.oneIn(40) ? numbers.below(100_000) : payload.length,
  });
}

function makeFrames(numbers, isCompressed) {
  const frames = [];
  do frames.push(makeFrame(numbers, isCompressed)); while (!numbers.oneIn(5));
  if (numbers.oneIn(3)) frames.push(frame({ opcode: kClose, payload: Buffer.of(3, 232) }));
  return Buffer.concat(frames);
}

function makeAnswer(numbers, request, extension) {
  const key = /sec-websocket-key: (.*)\r\n/i.exec(request)[1];
  const accept = createHash('sha1').update(key + (numbers.oneIn(60) ? 'x' : kGuid)).digest('base64');
  let text = `HTTP/1.1 ${numbers.oneIn(60) ? '200 OK' : '101 Switching Protocols'}\r\n`;
  if (!numbers.oneIn(60)) text += 'Upgrade: websocket\r\n';
  if (!numbers.oneIn(60)) text += 'Connection: Upgrade\r\n';
  text += `Sec-WebSocket-Accept: ${accept}\r\n`;
  if (numbers.oneIn(12)) text += `Sec-WebSocket-Protocol: ${numbers.pick(['chat', 'other'])}\r\n`;
  if (extension !== '') text += `Sec-WebSocket-Extensions: ${extension}\r\n`;
  return `${text}\r\n`;
}

// Answers the request, sends the frames in pieces and ends the connection.
async function serve(socket, numbers) {
  socket.on('error', () => {});
  let request = '';
  for await (const data of socket.iterator({ destroyOnReturn: false })) {
    request += data;
    if (request.includes('\r\n\r\n')) break;
  }
  const extension = numbers.oneIn(4) ? numbers.pick(extensions) : '';
  const answer = makeAnswer(numbers, request, extension);
  const bytes = Buffer.concat([Buffer.from(answer), makeFrames(numbers, extension.startsWith('permessage-deflate'))]);
  const step = numbers.oneIn(2) ? bytes.length : 1 + numbers.below(bytes.length);
  for (let at = 0; at < bytes.length && !socket.destroyed; at += step) {
    socket.write(bytes.subarray(at, at + step));
    await new Promise(setImmediate);
  }
  socket.end();
  socket.resume();
}

async function run(numbers) {
  const events = [];
  const server = net.createServer((socket) => serve(socket, numbers)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const protocols = numbers.oneIn(6) ? ['chat'] : [];
  const client = new WebSocket(`ws://127.0.0.1:${server.address().port}/`, protocols);
  client.binaryType = numbers.oneIn(2) ? 'blob' : 'arraybuffer';
  client.onopen = () => events.push(`open ${client.protocol} ${client.extensions}`);
  client.onmessage = ({ data }) => {
    const size = typeof data === 'string' ? digest(Buffer.from(data)) : data.size ?? digest(Buffer.from(data));
    events.push(`message ${typeof data} ${size}`);
  };
  client.onerror = ({ message }) => events.push(`error ${message}`);
  const closed = await new Promise((resolve) => {
    client.onclose = resolve;
    setTimeout(resolve, kPatienceMs).unref();
  });
  // undici may stop reading within a long frame, and then never notices the end of the connection.
  if (closed === undefined) {
    events.push('never closes');
  } else {
    events.push(`close ${closed.code} ${closed.reason} ${closed.wasClean}`);
    server.close();
    await once(server, 'close');
  }
  // Inflating takes another thread: whether a message is delivered before a later frame fails the connection is open.
  return client.extensions === '' ? events : ['compressed'];
}

module.exports = { run };
