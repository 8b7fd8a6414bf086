'use strict';
// Errors for arguments and options of the functions, in Node's words and order.
const zlib = require('node:zlib');

const c = zlib.constants;
function attempt(name, run) {
  try {
    const result = run();
    console.log(name, Buffer.isBuffer(result) ? result.toString('latin1').length : result);
  } catch (error) {
    console.log(name, error.name, error.code, error.message, Object.keys(error).join());
  }
}
for (const method of ['gzipSync', 'inflateSync', 'brotliCompressSync', 'zstdDecompressSync']) {
  for (const value of [undefined, null, 5, {}, [1], Symbol.iterator, true]) attempt(method, () => zlib[method](value));
}
for (const value of [5, {}, [1], true]) attempt('gzip', () => zlib.gzip(value, () => {}));
attempt('no callback', () => zlib.gzip('a'));
attempt('no callback', () => zlib.gzip('a', {}, 'x'));
attempt('options first', () => zlib.gzip('a', { level: 10 }, 'x'));
const options = { level: [-2, 10, 'a', NaN, Infinity, {}, 1.5], windowBits: [7, 16, 0, 'x', 8], memLevel: [0, 10, '1'],
  strategy: [-1, 5, null], chunkSize: [63, -1, '64', Infinity, NaN], flush: [-1, 6, 'x'], finishFlush: [-1, 6],
  maxOutputLength: [0, -1, 'x', 2 ** 60], dictionary: ['x', 5, null, {}], rejectGarbageAfterEnd: [1, null, 'x'] };
for (const [name, values] of Object.entries(options)) {
  for (const value of values) {
    attempt(`gzip ${name}`, () => zlib.gzipSync('abc', { [name]: value }).length > 0);
    attempt(`createInflate ${name}`, () => zlib.createInflate({ [name]: value }).constructor.name);
    attempt(`brotli ${name}`, () => zlib.brotliCompressSync('abc', { [name]: value }).length > 0);
    attempt(`zstd ${name}`, () => zlib.zstdCompressSync('abc', { [name]: value }).length > 0);
  }
}
for (const params of [{ 99: 1 }, { x: 1 }, { '-1': 1 }, { '1.5': 1 }, { 1: 'x' }, { 1: 5, '01': 5 }, { 1: true }, { 5: 2 ** 33 },
  { [c.BROTLI_PARAM_LGWIN]: 5 }]) {
  attempt(`brotli ${JSON.stringify(params)}`, () => zlib.brotliCompressSync('abc', { params }).length > 0);
  attempt(`brotli decoder ${JSON.stringify(params)}`, () => zlib.createBrotliDecompress({ params }).constructor.name);
  attempt(`zstd ${JSON.stringify(params)}`, () => zlib.zstdCompressSync('abc', { params }).length > 0);
}
attempt('zstd level', () => zlib.zstdCompressSync('abc', { params: { [c.ZSTD_c_windowLog]: 99 } }));
attempt('zstd decoder', () => zlib.zstdDecompressSync('abc', { params: { [c.ZSTD_d_windowLogMax]: 99 } }));
for (const pledgedSrcSize of ['x', 1.5, -1, NaN, null, 5, 3]) {
  attempt(`pledged ${pledgedSrcSize}`, () => zlib.zstdCompressSync('abc', { pledgedSrcSize }).length > 0);
}
attempt('crc32', () => zlib.crc32());
attempt('crc32', () => zlib.crc32(5));
attempt('crc32', () => zlib.crc32('a', -1));
attempt('crc32', () => zlib.crc32('a', '1'));
attempt('crc32', () => zlib.crc32('a', 2 ** 32));
const spoofed = Object.defineProperty(new Uint8Array(4), 'byteLength', { value: 4000 });
attempt('spoofed length', () => zlib.gzipSync(spoofed));
attempt('spoofed length', () => zlib.gunzipSync(spoofed));
// A window of 8 bits becomes 9 in the program's own object.
const raw = { windowBits: 8 };
attempt('raw', () => zlib.deflateRawSync('abc', raw).length);
console.log(raw);
