'use strict';
// flush(), params(), reset() and close().
const zlib = require('node:zlib');
const { once } = require('node:events');

const c = zlib.constants;
const show = (...values) => console.log(...values);
async function flushing() {
  for (const [make, unmake, kinds] of [
    ['createDeflate', 'createInflate', [c.Z_PARTIAL_FLUSH, c.Z_SYNC_FLUSH, c.Z_FULL_FLUSH, undefined]],
    ['createBrotliCompress', 'createBrotliDecompress', [c.BROTLI_OPERATION_FLUSH, undefined]],
    ['createZstdCompress', 'createZstdDecompress', [c.ZSTD_e_flush, undefined]]]) {
    for (const kind of kinds) {
      const stream = zlib[make]();
      const reader = zlib[unmake]();
      stream.pipe(reader);
      stream.write('first part');
      await new Promise((resolve) => (kind === undefined ? stream.flush(resolve) : stream.flush(kind, resolve)));
      const [text] = await once(reader, 'data');
      show(make, kind, String(text), stream.bytesWritten);
      stream.end(' second');
      show(String((await once(reader, 'data'))[0]));
    }
  }
  const ended = zlib.createGzip().resume();
  ended.end('x');
  ended.flush(() => show('flushed while ending'));
  await once(ended, 'close');
  ended.flush(() => show('flushed after the end'));
  for (const kind of ['x', -1, 6, {}]) {
    try {
      zlib.createGzip().flush(kind);
    } catch (error) {
      show(error.code, error.message);
    }
  }
}
async function params() {
  const stream = zlib.createDeflate({ level: 9 });
  const chunks = [];
  stream.on('data', (chunk) => chunks.push(chunk));
  stream.write('a'.repeat(5000));
  await new Promise((resolve) => stream.params(0, c.Z_DEFAULT_STRATEGY, resolve));
  show('params', stream._level, stream._strategy);
  stream.write('b'.repeat(5000));
  await new Promise((resolve) => stream.params(0, c.Z_DEFAULT_STRATEGY, resolve));
  await new Promise((resolve) => stream.params(1, c.Z_FILTERED, resolve));
  show('changed', stream._level, stream._strategy);
  stream.end('c');
  await once(stream, 'end');
  const packed = Buffer.concat(chunks);
  show(zlib.inflateSync(packed).length);
  for (const args of [[10, 0], [1, 5], ['x', 0], [1, null]]) {
    try {
      stream.params(...args);
    } catch (error) {
      show(error.code, error.message);
    }
  }
}
async function resetting() {
  for (const make of ['createDeflate', 'createGzip', 'createBrotliCompress', 'createZstdCompress']) {
    const stream = zlib[make]();
    stream.reset();
    const chunks = [];
    stream.on('data', (chunk) => chunks.push(chunk));
    await new Promise((resolve) => stream.write('thrown away', resolve));
    stream.reset();
    stream.write('kept');
    try {
      stream.reset();
    } catch (error) {
      show(error.name, error.code, error.message);
    }
    stream.end();
    await once(stream, 'end');
    show(make, stream.bytesWritten, Buffer.concat(chunks).length > 0);
    try {
      stream.reset();
    } catch (error) {
      show(error.name, error.code);
    }
  }
}
async function closing() {
  const stream = zlib.createGzip();
  stream.close(() => show('closed'));
  await once(stream, 'close');
  show(stream.destroyed, stream._closed, stream._handle);
  stream.close();
  const busy = zlib.createGunzip();
  busy.write(zlib.gzipSync(Buffer.alloc(1e6)), () => show('written'));
  busy.on('data', () => show('data'));
  busy.close();
  await once(busy, 'close');
  const inData = zlib.createGunzip();
  let count = 0;
  inData.on('data', () => {
    count++;
    inData.close();
  });
  inData.end(zlib.gzipSync(Buffer.alloc(1e6)));
  await once(inData, 'close');
  show('chunks before close', count);
  const late = zlib.createInflate();
  late.destroy();
  late.on('error', (error) => show(error.code));
  late.write('x', (error) => show(error.code));
  await once(late, 'close').catch((error) => show(error.code));
}
flushing().then(params).then(resetting).then(closing);
