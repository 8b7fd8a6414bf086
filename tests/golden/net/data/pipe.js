// Whole streams through sockets: pipe(), pipeline(), async iteration.
const net = require('node:net');
const { Readable, pipeline } = require('node:stream');
const { createHash } = require('node:crypto');

const size = 8 * 1024 * 1024;
const data = Buffer.alloc(size);
for (let i = 0; i < size; i += 4) data.writeUInt32LE((i * 2654435761) % 4294967296, i);
const sum = (buffer) => createHash('sha256').update(buffer).digest('hex');
const server = net.createServer((socket) => socket.pipe(socket));
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const first = net.connect(port, '127.0.0.1');
  let at = 0;
  const source = new Readable({
    read(wanted) {
      this.push(at < size ? data.subarray(at, at += wanted) : null);
    },
  });
  source.pipe(first);
  const hash = createHash('sha256');
  let total = 0;
  for await (const chunk of first) {
    hash.update(chunk);
    total += chunk.length;
  }
  console.log('pipe', total, hash.digest('hex') === sum(data));

  const second = net.connect(port, '127.0.0.1');
  const chunks = [];
  second.on('data', (chunk) => chunks.push(chunk));
  pipeline(Readable.from([data.subarray(0, size / 2), data.subarray(size / 2)]), second, (error) => {
    console.log('pipeline', error, sum(Buffer.concat(chunks)) === sum(data));
    server.close();
  });
});
