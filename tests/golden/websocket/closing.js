// Ends of connections, and handshakes that fail.
const { listen } = require('./fixtures/server.js');

const bad = Buffer.from([0xff, 0xfe]);
const cases = {
  'server closes': (peer) => peer.close(1000, 'bye'),
  'server closes with own code': (peer) => peer.close(4321, 'own'),
  'server closes without code': (peer) => peer.close(),
  'server closes with 1005': (peer) => peer.close(1005),
  'server closes with 999': (peer) => peer.close(999),
  'close with one byte': (peer) => peer.frame(0x88, 'x'),
  'close with bad UTF-8': (peer) => peer.frame(0x88, Buffer.concat([Buffer.from([3, 232]), bad])),
  'connection ends': (peer) => peer.socket.end(),
  'connection is destroyed': (peer) => peer.socket.destroy(),
  'reserved bits': (peer) => peer.frame(0xc1, 'x'),
  'reserved opcode': (peer) => peer.frame(0x83, 'x'),
  'masked frame': (peer) => peer.socket.write(Buffer.from([0x81, 0x81, 0, 0, 0, 0, 65])),
  'fragmented ping': (peer) => peer.frame(0x09, 'x'),
  'large ping': (peer) => peer.frame(0x89, 'x'.repeat(126)),
  'continuation of nothing': (peer) => peer.frame(0x80, 'x'),
  'text in a fragmented message': (peer) => {
    peer.frame(0x01, 'x');
    peer.frame(0x81, 'y');
  },
  'bad UTF-8': (peer) => peer.frame(0x81, bad),
  'length of 2^63': (peer) => peer.socket.write(Buffer.from([0x82, 127, 255, 255, 255, 255, 255, 255, 255, 255])),
};
const handshakes = {
  'status 200': (accept) => accept({}, '200 OK'),
  'status 400': (accept) => accept({}, '400 Bad Request'),
  'no upgrade': (accept) => accept({ Upgrade: undefined }),
  'wrong upgrade': (accept) => accept({ Upgrade: 'other' }),
  'no accept': (accept) => accept({ 'Sec-WebSocket-Accept': undefined }),
  'wrong accept': (accept) => accept({ 'Sec-WebSocket-Accept': 'x' }),
  'unknown extension': (accept) => accept({ 'Sec-WebSocket-Extensions': 'other' }),
  'unrequested protocol': (accept) => accept({ 'Sec-WebSocket-Protocol': 'a' }),
};

function connect(url, protocols, onOpen) {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, protocols);
    const events = [];
    socket.onopen = () => {
      events.push(`open ${socket.protocol}`);
      onOpen?.(socket);
    };
    socket.onmessage = ({ data }) => events.push(`message ${data}`);
    socket.onerror = (event) => events.push(`error ${event instanceof ErrorEvent} ${event.message}`);
    socket.onclose = ({ code, reason, wasClean }) => {
      events.push(`close ${code} '${reason}' ${wasClean}`);
      resolve(events);
    };
  });
}

async function main() {
  let act;
  let peerEvents;
  const server = await listen((request, accept) => {
    const peer = act(accept, request);
    peer?.on('frame', ({ opcode, payload }) => {
      if (opcode !== 8) return;
      peerEvents?.push(`server got close ${payload.length < 2 ? '' : payload.readUInt16BE(0)} ${payload.subarray(2)}`);
      if (!peer.keepsOpen) peer.socket.end();
    });
  });
  const url = `ws://127.0.0.1:${server.port}/`;
  for (const name of Object.keys(cases)) {
    let closed;
    act = (accept) => {
      const peer = accept({});
      closed = new Promise((resolve) => { peer.on('close', resolve); });
      setImmediate(() => cases[name](peer));
      return peer;
    };
    peerEvents = [];
    const events = await connect(url);
    await closed;
    console.log(name, events, peerEvents);
  }
  for (const name of Object.keys(handshakes)) {
    act = (accept) => handshakes[name](accept);
    console.log(name, await connect(url));
  }
  act = (accept, request) => {
    const asked = request.headers['sec-websocket-protocol'];
    return accept({ 'Sec-WebSocket-Protocol': asked.split(', ').at(-1) });
  };
  console.log(await connect(url, ['a', 'b'], (socket) => socket.close()));
  console.log(await connect(url, 'one', (socket) => socket.close(3000, 'why')));
  act = (accept) => {
    const peer = accept({});
    peer.on('frame', ({ opcode, payload }) => { if (opcode === 8) peer.frame(0x88, payload); });
    return peer;
  };
  console.log(await connect(url, [], (socket) => {
    for (const [code, reason] of [[1001], [2999], [5000], ['x'], [1000, 'x'.repeat(124)], [undefined, 'reason']]) {
      try {
        socket.close(code, reason);
        console.log('closed', code);
      } catch (error) {
        console.log(error.name, error.message);
      }
    }
    socket.close(4999, '\u00e4');
  }));
  const early = new WebSocket(url);
  early.onerror = (event) => console.log('early error', event.message);
  early.onclose = ({ code, wasClean }) => console.log('early close', code, wasClean);
  early.close();
  console.log(early.readyState);
  server.close();
  console.log(await connect(url));
  for (const [first, second] of [
    ['x'], ['ftp://x'], ['ws://x#a'], ['http://127.0.0.1:1/', ['a', 'a']], ['ws://x', 'a b'], ['ws://x', ''], [], [Symbol('x')],
    ['wss://x/', ['\u00e4']],
  ]) {
    try {
      const socket = new WebSocket(first, second);
      socket.onerror = () => {};
      console.log(socket.url);
      socket.close();
    } catch (error) {
      console.log(error.name, error.message);
    }
  }
}

main();
