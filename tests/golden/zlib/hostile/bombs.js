'use strict';
// Small inputs with large outputs: maxOutputLength stops them.
const zlib = require('node:zlib');

const c = zlib.constants;
const bombs = {
  gunzip: zlib.gzipSync(Buffer.alloc(3e7)), unzip: zlib.gzipSync(Buffer.alloc(3e7)), inflate: zlib.deflateSync(Buffer.alloc(3e7)),
  inflateRaw: zlib.deflateRawSync(Buffer.alloc(3e7)),
  brotliDecompress: zlib.brotliCompressSync(Buffer.alloc(3e7), { params: { [c.BROTLI_PARAM_QUALITY]: 1 } }),
  zstdDecompress: zlib.zstdCompressSync(Buffer.alloc(3e7)),
};
const lying = Buffer.from(zlib.gzipSync('short'));
lying.writeUInt32LE(0xffffffff, lying.length - 4);
const modest = Buffer.from(zlib.gzipSync(Buffer.alloc(1e6)));
modest.writeUInt32LE(3, modest.length - 4);
const show = (name, error, result) => console.log(name, error ? `${error.name} ${error.code} ${error.message}` : result.length);
for (const [name, bomb] of Object.entries(bombs)) {
  for (const maxOutputLength of [1, 1000, 29999999, 3e7]) {
    try {
      show(`${name} sync ${maxOutputLength}`, null, zlib[`${name}Sync`](bomb, { maxOutputLength }));
    } catch (error) {
      show(`${name} sync ${maxOutputLength}`, error);
    }
  }
}
for (const [name, input] of Object.entries({ lying, modest })) {
  try {
    show(name, null, zlib.gunzipSync(input));
  } catch (error) {
    show(name, error);
  }
}
const names = Object.keys(bombs);
function next() {
  const name = names.shift();
  if (name === undefined) return;
  zlib[name](bombs[name], { maxOutputLength: 100000 }, (error, result) => {
    show(`${name} async`, error, result);
    zlib[name](bombs[name], { maxOutputLength: 3e7 }, (error, result) => {
      show(`${name} async`, error, result);
      next();
    });
  });
}
next();
for (const method of ['gzipSync', 'deflateSync', 'brotliCompressSync', 'zstdCompressSync']) {
  try {
    console.log(zlib[method](Buffer.from('abcdefghijklmnopqrstuvwxyz'), { maxOutputLength: 5 }).length);
  } catch (error) {
    show(method, error);
  }
}
// A stream does not apply the limit; its reader stops.
const stream = zlib.createGunzip({ maxOutputLength: 10 });
let size = 0;
stream.on('data', (chunk) => {
  size += chunk.length;
  if (size > 1e5) stream.destroy();
});
stream.on('close', () => console.log('closed', size > 1e5 && size < 2e5));
stream.end(bombs.gunzip);
