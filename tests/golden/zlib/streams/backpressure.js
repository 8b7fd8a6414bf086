'use strict';
// A reader that stops: output is bounded, and goes on when it reads again.
const zlib = require('node:zlib');

const packed = zlib.gzipSync(Buffer.alloc(5e6));
const stream = zlib.createGunzip();
stream.end(packed);
setTimeout(() => {
  console.log(stream.readableLength <= stream.readableHighWaterMark + 16384, stream.readableLength > 0);
  let size = 0;
  let reads = 0;
  stream.on('readable', () => {
    for (let chunk; (chunk = stream.read(1000)) !== null;) {
      size += chunk.length;
      reads++;
    }
  });
  stream.on('end', () => console.log(size, reads));
}, 300);

async function iterate() {
  const reader = zlib.createInflate({ chunkSize: 64 });
  reader.end(zlib.deflateSync('x'.repeat(1000)));
  let count = 0;
  for await (const chunk of reader) count += chunk.length;
  console.log(count);
  const left = zlib.createInflate();
  left.end(zlib.deflateSync(Buffer.alloc(1e6)));
  for await (const chunk of left) {
    console.log(chunk.length);
    break;
  }
  console.log(left.destroyed);
}
iterate();
