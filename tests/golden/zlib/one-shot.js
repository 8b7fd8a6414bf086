'use strict';
// Functions for whole inputs, both kinds: round trips of sizes around the limits of buffers.
const zlib = require('node:zlib');
const { createHash } = require('node:crypto');
const { promisify } = require('node:util');

const pairs = [['gzip', 'gunzip'], ['deflate', 'inflate'], ['deflateRaw', 'inflateRaw'], ['gzip', 'unzip'],
  ['deflate', 'unzip'], ['brotliCompress', 'brotliDecompress'], ['zstdCompress', 'zstdDecompress']];
function text(size) {
  let state = 1;
  const out = Buffer.alloc(size);
  for (let i = 0; i < size; i++) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    out[i] = 97 + (state >> 16) % (1 + (i >> 10) % 20);
  }
  return out;
}
const hash = (bytes) => createHash('sha1').update(bytes).digest('hex').slice(0, 8);
async function main() {
  const fast = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 3 } };
  for (const [pack, unpack] of pairs) {
    const results = [];
    for (const size of [0, 1, 10, 1000, 16383, 16384, 16385, 65536, 200000]) {
      const input = text(size);
      const options = pack.startsWith('brotli') ? fast : undefined;
      const packed = zlib[`${pack}Sync`](input, options);
      const again = await promisify(zlib[pack])(input, options);
      const results2 = [
        zlib[`${unpack}Sync`](packed), await promisify(zlib[unpack])(packed), zlib[`${unpack}Sync`](again),
      ];
      const isRight = results2.every((result) => result.equals(input) && result.constructor === Buffer);
      results.push(`${size}:${isRight}`);
    }
    console.log(pack, unpack, results.join(' '), hash(text(1000)));
  }
}
main();
