// Messages of all kinds and sizes, fragments, control frames.
const { listen } = require('./fixtures/server.js');

const show = (data) => (typeof data === 'string' ? (data.length > 40 ? `text of ${data.length}` : JSON.stringify(data)) :
  data instanceof Blob ? `Blob of ${data.size}` : `${data.constructor.name} of ${data.byteLength}`);

async function main() {
  const server = await listen((request, accept) => {
    console.log(request.method, request.url, request.headers['sec-websocket-version'],
      Buffer.from(request.headers['sec-websocket-key'], 'base64').length, request.headers.connection,
      request.headers.upgrade, Object.keys(request.headers).sort().join());
    const peer = accept({});
    peer.on('frame', ({ isFinal, bits, opcode, isMasked, payload }) => {
      console.log('server got', opcode, isFinal, bits, isMasked, payload.length);
      if (opcode === 8) {
        peer.frame(0x88, payload);
        peer.socket.end();
      } else if (opcode === 9 || opcode === 10) {
        console.log('payload', payload.toString());
      } else if (payload.toString() === 'fragments') {
        peer.frame(0x01, 'one ');
        peer.frame(0x89, 'ping between');
        peer.frame(0x00, 'two ');
        peer.frame(0x80, 'three');
      } else if (payload.toString() === 'split character') {
        const bytes = Buffer.from('a\u{1f600}b');
        peer.frame(0x01, bytes.subarray(0, 3));
        peer.frame(0x80, bytes.subarray(3));
      } else if (payload.toString() === 'empty') {
        peer.frame(0x81, '');
        peer.frame(0x82, '');
        peer.frame(0x01, '');
        peer.frame(0x80, '');
      } else if (payload.toString() === 'pong') {
        peer.frame(0x8a, 'unrequested');
        peer.text('after the pong');
      } else {
        peer.frame(0x80 | opcode, payload);
      }
    });
  });
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/path?q#`.replace('#', ''));
  console.log(socket.readyState, socket.binaryType, socket.bufferedAmount, socket.protocol, socket.extensions,
    socket.url.replace(/:\d+/, ':PORT'));
  try {
    socket.send('too early');
  } catch (error) {
    console.log(error.name, error.message, error.code);
  }
  const messages = [
    'hello', '', '\u00e4\u{1f600}', '\ud800', 'x'.repeat(125), 'x'.repeat(126), 'x'.repeat(65535), 'x'.repeat(65536),
    'x'.repeat(300_000), new Uint8Array([1, 2, 3]), new Uint8Array([1, 2, 3]).buffer, new DataView(new ArrayBuffer(5), 1),
    new Blob(['a blob']), 'fragments', 'split character', 'empty', null, null, 'pong', 1, 'end',
  ];
  let isArrayBuffer = false;
  const next = () => {
    if (messages.length === 0) {
      socket.close(1000, 'all done');
      console.log('closing', socket.readyState);
      return;
    }
    const message = messages.shift();
    if (message === null) return;
    socket.send(message);
    console.log('sent', show(typeof message === 'number' ? String(message) : message));
  };
  socket.addEventListener('open', (event) => {
    console.log('open', event.constructor.name, event.type, event.target === socket, socket.readyState);
    next();
  });
  socket.onmessage = (event) => {
    console.log('message', event instanceof MessageEvent, show(event.data), event.origin.replace(/:\d+/, ':PORT'),
      event.lastEventId, event.source, event.ports);
    if (!isArrayBuffer && event.data instanceof Blob) {
      socket.binaryType = 'arraybuffer';
      isArrayBuffer = true;
    }
    next();
  };
  socket.onerror = (event) => console.log('error', event.message);
  socket.onclose = (event) => {
    console.log('close', event instanceof CloseEvent, event.code, event.reason, event.wasClean, socket.readyState);
    socket.send('ignored');
    socket.close();
    server.close();
  };
}

main();
