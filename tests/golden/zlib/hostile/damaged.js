'use strict';
// Single damaged bytes, and random ones: Node's errors in all three ways.
const zlib = require('node:zlib');
const { promisify } = require('node:util');
const { createHash } = require('node:crypto');

const text = 'the quick brown fox jumps over the lazy dog; 0123456789 '.repeat(4);
const packers = { gunzip: 'gzip', unzip: 'gzip', inflate: 'deflate', inflateRaw: 'deflateRaw',
  brotliDecompress: 'brotliCompress', zstdDecompress: 'zstdCompress' };
let state = 99;
const random = (most) => {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  return (state >> 12) % most;
};
const outcome = (error) => `${error.name} ${error.code} ${error.errno} ${error.message}`;
async function main() {
  for (const [unpack, pack] of Object.entries(packers)) {
    const packed = zlib[`${pack}Sync`](text, { memLevel: 9 });
    const inputs = [];
    for (let i = 0; i < packed.length; i++) {
      const copy = Buffer.from(packed);
      copy[i] ^= 1 << random(8);
      inputs.push(copy);
    }
    for (let i = 0; i < 60; i++) {
      inputs.push(Buffer.from(Array.from({ length: 1 + random(60) }, () => random(256))));
      const headed = Buffer.from(Array.from({ length: 30 + random(60) }, () => random(256)));
      packed.copy(headed, 0, 0, pack === 'gzip' ? 10 : pack === 'deflate' ? 2 : 4);
      inputs.push(headed);
    }
    const seen = new Map();
    const all = createHash('sha1');
    for (const input of inputs) {
      let sync;
      try {
        sync = `output ${zlib[`${unpack}Sync`](input).toString('hex').slice(0, 40)}`;
      } catch (error) {
        sync = outcome(error);
      }
      const async = await promisify(zlib[unpack])(input).then(
        (result) => `output ${result.toString('hex').slice(0, 40)}`, outcome);
      all.update(sync).update(async);
      const name = sync.startsWith('output') ? 'output' : sync;
      seen.set(name, (seen.get(name) ?? 0) + 1);
    }
    console.log(unpack, inputs.length, [...seen].sort(), all.digest('hex'));
  }
}
main();
