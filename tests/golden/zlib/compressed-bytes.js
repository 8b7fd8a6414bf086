'use strict';
// Compressed bytes that equal Node's: everything except whole inputs to deflate, gzip and deflateRaw with default options
// other than a level (docs/adr/modules/0042).
const zlib = require('node:zlib');
const { createHash } = require('node:crypto');
const { promisify } = require('node:util');

const c = zlib.constants;
let state = 7;
const input = Buffer.alloc(100000);
for (let i = 0; i < input.length; i++) {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  input[i] = (state >> 20) % 3 === 0 ? 32 : 97 + (state >> 16) % 9;
}
const show = (name, bytes) =>
  console.log(name, bytes.length, createHash('sha1').update(bytes).digest('hex').slice(0, 12));
async function streamed(stream, pieces) {
  const chunks = [];
  stream.on('data', (chunk) => chunks.push(chunk));
  for (const piece of pieces) await new Promise((resolve) => stream.write(piece, resolve));
  stream.end();
  await new Promise((resolve) => stream.on('end', resolve));
  return Buffer.concat(chunks);
}
const pieces = [input.subarray(0, 5), input.subarray(5, 50000), input.subarray(50000)];
async function main() {
  for (const options of [{ level: 0 }, { level: 0, chunkSize: 100 }, { strategy: c.Z_HUFFMAN_ONLY },
    { strategy: c.Z_RLE }, { strategy: c.Z_FIXED }, { windowBits: 9 }, { memLevel: 1 }, { memLevel: 9, level: 9 },
    { dictionary: Buffer.from('abcdefghi abc') }, { finishFlush: c.Z_SYNC_FLUSH }, { flush: c.Z_FULL_FLUSH }]) {
    const name = JSON.stringify(options);
    show(`deflate ${name}`, zlib.deflateSync(input, options));
    show(`deflate async ${name}`, await promisify(zlib.deflate)(input, options));
    show(`deflateRaw ${name}`, zlib.deflateRawSync(input, { ...options }));
    if (!options.dictionary) show(`gzip ${name}`, zlib.gzipSync(input, options));
  }
  for (let quality = 0; quality <= 10; quality += 2) {
    const options = { params: { [c.BROTLI_PARAM_QUALITY]: quality } };
    show(`brotli ${quality}`, zlib.brotliCompressSync(input, options));
    show(`brotli async ${quality}`, await promisify(zlib.brotliCompress)(input, options));
    show(`brotli stream ${quality}`, await streamed(zlib.createBrotliCompress(options), pieces));
  }
  for (const level of [-5, 1, 3, 9, 19]) {
    const options = { params: { [c.ZSTD_c_compressionLevel]: level, [c.ZSTD_c_checksumFlag]: 1 } };
    show(`zstd ${level}`, zlib.zstdCompressSync(input, options));
    show(`zstd async ${level}`, await promisify(zlib.zstdCompress)(input, options));
    show(`zstd stream ${level}`, await streamed(zlib.createZstdCompress(options), pieces));
  }
  for (const level of [1, 6, 9]) {
    show(`gzip stream ${level}`, await streamed(zlib.createGzip({ level }), pieces));
    show(`deflate stream ${level}`, await streamed(zlib.createDeflate({ level }), pieces));
    show(`raw stream ${level}`, await streamed(zlib.createDeflateRaw({ level, windowBits: 8 }), pieces));
  }
  const engine = zlib.gzipSync(input, { info: true }).engine;
  console.log(engine.constructor.name, engine.bytesWritten);
  show('info', zlib.gzipSync(input, { info: true }).buffer);
  // Headers of whole inputs.
  for (let level = 1; level <= 9; level++) {
    console.log(level, zlib.gzipSync('a', { level }).subarray(0, 10), zlib.deflateSync('a', { level }).subarray(0, 2));
  }
}
main();
