'use strict';
// A write of which the kernel took a part at once: the first timeout does not count, as the queue has become shorter.
const fs = require('fs');
const net = require('net');
const os = require('os');

const path = `${fs.mkdtempSync(`${os.tmpdir()}/golden-`)}/socket`;
const server = net.createServer((socket) => {
  let size = 0;
  socket.write(Buffer.alloc(3000000), () => console.log('written'));
  socket.setTimeout(50, () => {
    console.log('timeout', size);
    client.on('data', (data) => size += data.length);
    client.on('end', () => console.log('received', size));
    socket.setTimeout(0);
    socket.end();
  });
  // The timer of the first timeout: nothing has been reported when it has passed.
  setTimeout(() => console.log('first'), 75);
}).listen(path);
const client = net.connect(path);
client.on('close', () => {
  server.close();
  fs.rmSync(path.slice(0, -'/socket'.length), { recursive: true });
});
