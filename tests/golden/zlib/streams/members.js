'use strict';
// Several compressed streams in one input, and what follows the end.
const zlib = require('node:zlib');
const { promisify } = require('node:util');

const packers = { gunzip: 'gzip', unzip: 'gzip', inflate: 'deflate', inflateRaw: 'deflateRaw',
  brotliDecompress: 'brotliCompress', zstdDecompress: 'zstdCompress' };
const report = (error) => `${error.name} ${error.code} ${error.errno} ${error.message}`;
async function streamed(Class, pieces, options) {
  const stream = new zlib[Class](options);
  let text = '';
  stream.on('data', (chunk) => { text += chunk; });
  const over = new Promise((resolve) => {
    stream.on('end', () => resolve('end'));
    stream.on('error', (error) => resolve(report(error)));
  });
  for (const piece of pieces) {
    if (stream.destroyed || stream.readableEnded) break;
    stream.write(piece);
    // All of its output.
    await Promise.race([over, new Promise((resolve) => stream.flush(resolve))]);
  }
  if (!stream.destroyed) stream.end();
  return `${text} ${await over} ${stream.bytesWritten}`;
}
async function main() {
  for (const [unpack, pack] of Object.entries(packers)) {
    const [a, b] = ['one', 'two'].map((text) => zlib[`${pack}Sync`](text, { strategy: 2 }));
    const inputs = { two: [a, b], zeros: [a, Buffer.alloc(10)], junk: [a, Buffer.from('junk')],
      'zeros and two': [a, Buffer.alloc(3), b], 'part': [a, b.subarray(0, 5)], 'a byte': [a, b.subarray(0, 1)], 'empty': [a, ''] };
    for (const options of [{}, { rejectGarbageAfterEnd: true }]) {
      for (const [name, parts] of Object.entries(inputs)) {
        const input = Buffer.concat(parts.map((part) => Buffer.from(part)));
        const results = [];
        try {
          results.push(String(zlib[`${unpack}Sync`](input, options)));
        } catch (error) {
          results.push(report(error));
        }
        results.push(await promisify(zlib[unpack])(input, options).then(String, report));
        const Class = unpack[0].toUpperCase() + unpack.slice(1);
        results.push(await streamed(Class, [input], options), await streamed(Class, parts, options));
        if (name !== 'empty') results.push(await streamed(Class, [...input].map((byte) => Buffer.from([byte])), options));
        console.log(unpack, Object.keys(options).length, name, '\n ', results.join('\n  '));
      }
    }
  }
}
main();
