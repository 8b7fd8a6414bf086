'use strict';
// Events, bytesWritten and output of streams, written in pieces.
const zlib = require('node:zlib');

const kinds = [['Deflate', 'Inflate'], ['Gzip', 'Gunzip'], ['DeflateRaw', 'InflateRaw'], ['Gzip', 'Unzip'],
  ['Deflate', 'Unzip'], ['BrotliCompress', 'BrotliDecompress'], ['ZstdCompress', 'ZstdDecompress']];
const input = Buffer.from('0123456789 abcdefghij '.repeat(4000));
function run(stream, pieces) {
  return new Promise((resolve) => {
    const log = [];
    const chunks = [];
    for (const name of ['finish', 'end', 'close', 'prefinish']) stream.on(name, () => log.push(name));
    stream.on('error', (error) => log.push(error.code));
    stream.on('data', (chunk) => chunks.push(chunk));
    stream.on('close', () => resolve({ log: log.join(), output: Buffer.concat(chunks),
      written: stream.bytesWritten, sizes: chunks.map((chunk) => chunk.length) }));
    for (const piece of pieces) stream.write(piece);
    stream.end();
  });
}
const cut = (bytes, size) => Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
  bytes.subarray(i * size, (i + 1) * size));
async function main() {
  for (const [pack, unpack] of kinds) {
    const options = pack === 'BrotliCompress' ? { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } } : undefined;
    const packed = await run(new zlib[pack](options), cut(input, 30000));
    console.log(pack, packed.log, packed.written);
    for (const size of [1, 100, 1e6]) {
      const result = await run(new zlib[unpack](), cut(packed.output, size));
      console.log(' ', unpack, size, result.log, result.written === packed.output.length, result.output.equals(input));
      if (size === 1e6) console.log('  ', result.sizes.join());
    }
    const small = await run(new zlib[unpack]({ chunkSize: 1000 }), [packed.output]);
    console.log('  chunks of 1000', small.sizes.length, small.output.equals(input));
    const large = await run(new zlib[unpack]({ chunkSize: 1 << 20 }), [packed.output]);
    console.log('  one chunk', large.sizes.join(), large.output.equals(input));
  }
}
main();
