// Requests and answers over three connections, in pieces: each client gets its own answer in any order. One outcome.
const net = require('net');
const server = net.createServer((socket) => {
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
    const end = text.indexOf('\r\n\r\n');
    if (end < 0) return;
    const body = text.slice(0, end);
    socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  });
});
let left = 3;
server.listen(0, '127.0.0.1', () => {
  for (let i = 0; i < 3; i++) {
    const socket = net.connect(server.address().port, '127.0.0.1');
    let text = '';
    socket.write(`GET /${i} HTTP/1.1\r\n`);
    setImmediate(() => socket.write('Host: x\r\n\r\n'));
    socket.on('data', (chunk) => { text += chunk; });
    socket.on('end', () => {
      if (!text.endsWith(`GET /${i} HTTP/1.1\r\nHost: x`)) throw new Error(`broken: ${JSON.stringify(text)}`);
      if (--left === 0) { console.log('done'); server.close(); }
    });
  }
});
