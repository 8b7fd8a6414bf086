'use strict';
// zlib.cjs ROW [SCALE]: runs one row and prints { wall, processor }, seconds per operation, of the fastest of several
// rounds. The input is 64 KiB of JSON with repetitions, as a server sends it.
const zlib = require('node:zlib');

const [, , row, scale = '1'] = process.argv;
const list = [];
let seed = 1;
for (let i = 0; i < 1000; i++) {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  const tags = ['red', 'green', 'blue'].slice(seed % 3);
  list.push({ id: i, name: `user ${seed % 977}`, score: seed % 10007 / 10, tags });
}
const input = Buffer.from(JSON.stringify(list)).subarray(0, 65536);
const packed = zlib.gzipSync(input);
const large = zlib.gzipSync(Buffer.concat(Array(64).fill(input))); // 4 MiB.

function promise(start) {
  return new Promise((resolve, reject) => start((error, result) => (error ? reject(error) : resolve(result))));
}

function through(stream, bytes, size) {
  return new Promise((resolve, reject) => {
    stream.on('error', reject).on('end', resolve).resume();
    for (let i = 0; i < bytes.length; i += size) stream.write(bytes.subarray(i, i + size));
    stream.end();
  });
}

const rows = {
  gzipSync: [200, () => zlib.gzipSync(input)],
  gzip: [200, () => promise((done) => zlib.gzip(input, done))],
  gunzipSync: [1000, () => zlib.gunzipSync(packed)],
  gunzip: [500, () => promise((done) => zlib.gunzip(packed, done))],
  gzipStream: [100, () => through(zlib.createGzip(), input, 16384)],
  gunzipStream: [20, () => through(zlib.createGunzip(), large, 65536)],
  brotliSync: [200, () => zlib.brotliDecompressSync(brotli)],
  zstdSync: [500, () => zlib.zstdDecompressSync(zstd)],
};
const brotli = zlib.brotliCompressSync(input);
const zstd = zlib.zstdCompressSync(input);

async function main() {
  const [usual, operate] = rows[row];
  const count = Math.max(2, Math.round(usual * +scale));
  let wall = Infinity;
  let processor = Infinity;
  for (let round = 0; round < 8; round++) {
    const began = process.hrtime.bigint();
    const { user, system } = process.cpuUsage();
    for (let i = 0; i < count; i++) {
      const result = operate();
      if (typeof result?.then === 'function') await result;
    }
    const used = process.cpuUsage();
    wall = Math.min(wall, Number(process.hrtime.bigint() - began) / 1e9 / count);
    processor = Math.min(processor, (used.user + used.system - user - system) / 1e6 / count);
  }
  console.log(JSON.stringify({ wall, processor }));
}
main();
