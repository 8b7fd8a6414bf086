'use strict';
const zlib = require('node:zlib');
const { promisify } = require('node:util');

const dictionary = Buffer.from('hello world, this is the dictionary of words');
const input = 'this is the hello of words, world';
async function main() {
  for (const given of [dictionary, new Uint8Array(dictionary), new DataView(Uint8Array.from(dictionary).buffer),
    Uint8Array.from(dictionary).buffer]) {
    const packed = zlib.deflateSync(input, { dictionary: given });
    const raw = zlib.deflateRawSync(input, { dictionary: given });
    console.log(packed.toString('hex'), raw.toString('hex'));
    console.log(String(zlib.inflateSync(packed, { dictionary: given })),
      String(await promisify(zlib.unzip)(packed, { dictionary: given })),
      String(zlib.inflateRawSync(raw, { dictionary: given })));
  }
  const packed = zlib.deflateSync(input, { dictionary });
  const raw = zlib.deflateRawSync(input, { dictionary });
  const attempt = (run) => {
    try {
      console.log(String(run()));
    } catch (error) {
      console.log(error.code, error.errno, error.message);
    }
  };
  attempt(() => zlib.inflateSync(packed));
  attempt(() => zlib.inflateSync(packed, { dictionary: Buffer.from('wrong') }));
  attempt(() => zlib.inflateSync(packed, { dictionary: Buffer.alloc(0) }));
  attempt(() => zlib.inflateRawSync(raw));
  attempt(() => zlib.inflateRawSync(raw, { dictionary: Buffer.from('wrong') }));
  attempt(() => zlib.gunzipSync(zlib.gzipSync(input, { dictionary }), { dictionary }));
  const brotli = zlib.brotliCompressSync(input, { dictionary });
  attempt(() => zlib.brotliDecompressSync(brotli, { dictionary }));
  attempt(() => zlib.brotliDecompressSync(brotli, { dictionary: Buffer.from('other words entirely') }));
  const zstd = zlib.zstdCompressSync(input, { dictionary });
  attempt(() => zlib.zstdDecompressSync(zstd, { dictionary }));
  console.log(brotli.toString('hex'), zstd.toString('hex'));
  // A stream, and one that is reset.
  const stream = zlib.createInflate({ dictionary });
  stream.on('data', (chunk) => console.log('data', String(chunk)));
  stream.on('end', () => console.log('end'));
  stream.write(packed.subarray(0, 3));
  stream.end(packed.subarray(3));
}
main();
