'use strict';
// Every start, end and highWaterMark gives just these bytes, in chunks that are not too long and have memory of their own.
const fs = require('fs');
const os = require('os');

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);
const kSize = 300001;
const content = Buffer.alloc(kSize);
for (let i = 0; i < kSize; i++) content[i] = (i * 7) ^ (i >> 8);
fs.writeFileSync('f', content);

async function read(options) {
  const chunks = [];
  const stream = fs.createReadStream('f', options);
  for await (const chunk of stream) chunks.push(chunk);
  const all = Buffer.concat(chunks);
  const start = options.start ?? 0;
  const wanted = content.subarray(start, Math.min(options.end ?? Infinity, kSize - 1) + 1);
  const most = options.highWaterMark ?? 65536;
  return all.equals(wanted) && stream.bytesRead === all.length && chunks.every((chunk) =>
    chunk.length <= most && chunk.byteOffset === 0 && chunk.buffer.byteLength === chunk.length) ?
    chunks.length : `wrong: ${JSON.stringify(options)}, ${all.length} of ${wanted.length}`;
}

(async () => {
  for (const start of [undefined, 0, 1, 65535, 65536, 299999, kSize - 1, kSize, kSize + 5]) {
    const counts = [];
    for (const end of [undefined, 0, 1, 65535, 65536, 131071, 131072, 200000, kSize - 1, kSize, 2 ** 40]) {
      if (end !== undefined && start > end) continue;
      for (const highWaterMark of [undefined, 1 << 20, 100000, 65536, 4097]) {
        counts.push(await read({ start, end, highWaterMark }));
      }
    }
    console.log(start, counts.join(' '));
  }
  console.log(await read({ highWaterMark: 1000, start: 298000 }), await read({ highWaterMark: 1, start: 299990 }));

  // Several at once, of one file; and of one descriptor, by position.
  const many = await Promise.all(Array.from({ length: 20 }, (_, i) => read({ start: i * 1000, end: i * 1000 + 150000 })));
  console.log(many.join(' '));
  const fd = fs.openSync('f');
  const parts = await Promise.all([0, 1, 2, 3].map(async (i) => {
    const chunks = [];
    const options = { fd, autoClose: false, start: i * 70000, end: i * 70000 + 69999 };
    for await (const chunk of fs.createReadStream('', options)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }));
  console.log(Buffer.concat(parts).equals(content.subarray(0, 280000)));
  fs.closeSync(fd);

  // A descriptor stands where the stream left it.
  const shared = fs.openSync('f');
  let left = 0;
  for await (const chunk of fs.createReadStream('', { fd: shared, autoClose: false, end: 99 })) left += chunk.length;
  const next = Buffer.alloc(1);
  fs.readSync(shared, next);
  console.log(left, next[0] === content[100]);
  fs.closeSync(shared);
  fs.rmSync(folder, { recursive: true });
})();
