'use strict';
// Every prefix of a compressed stream: an error, or with another operation the part that can be decoded.
const zlib = require('node:zlib');
const { promisify } = require('node:util');

const c = zlib.constants;
const text = 'the quick brown fox jumps over the lazy dog; '.repeat(6);
const packers = { gunzip: 'gzip', unzip: 'deflate', inflate: 'deflate', inflateRaw: 'deflateRaw',
  brotliDecompress: 'brotliCompress', zstdDecompress: 'zstdCompress' };
async function main() {
  for (const [unpack, pack] of Object.entries(packers)) {
    const packed = zlib[`${pack}Sync`](text, { memLevel: 9 });
    const counts = new Map();
    const note = (name) => counts.set(name, (counts.get(name) ?? 0) + 1);
    for (let size = 0; size < packed.length; size++) {
      const part = packed.subarray(0, size);
      try {
        note(`sync ${zlib[`${unpack}Sync`](part).length}`);
      } catch (error) {
        note(`sync ${error.code} ${error.errno} ${error.message}`);
      }
      await promisify(zlib[unpack])(part).then((result) => note(`async ${result.length}`),
        (error) => note(`async ${error.code} ${error.errno} ${error.message}`));
      const finishFlush = unpack.startsWith('brotli') ? c.BROTLI_OPERATION_FLUSH :
        unpack.startsWith('zstd') ? c.ZSTD_e_flush : c.Z_SYNC_FLUSH;
      try {
        const got = zlib[`${unpack}Sync`](part, { finishFlush });
        note(`flush ${text.startsWith(String(got))}`);
      } catch (error) {
        note(`flush ${error.code}`);
      }
    }
    console.log(unpack, packed.length, counts);
  }
}
main();
