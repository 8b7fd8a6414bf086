'use strict';
// Unused, unfinished and failed streams are freed: with many of each kind, memory does not grow.
const zlib = require('node:zlib');
const fs = require('node:fs');

const packed = zlib.gzipSync('abc');
const makers = {
  unused: () => zlib.createGzip({ chunkSize: 64 }),
  unfinished: () => zlib.createInflate({ chunkSize: 64 }).write('x'),
  decoder: () => zlib.createGunzip({ chunkSize: 64 }).on('data', () => {}).write(packed.subarray(0, 12)),
  failed: () => zlib.createInflate({ chunkSize: 64 }).on('error', () => {}).write('bad data'),
  closed: () => zlib.createBrotliDecompress({ chunkSize: 64 }).close(),
  sync: () => zlib.gunzipSync(packed),
  syncFailed: () => { try { zlib.inflateSync('bad'); } catch { /* as it should be */ } },
  oneShot: () => zlib.gunzip(packed, () => {}),
};
// A sanitizer keeps what was freed for a while, and finds leaks by itself.
const isSanitized = +fs.readFileSync('/proc/self/statm', 'latin1').split(' ')[0] > 2 ** 28; // Terabytes, for its shadow.
const memory = () => +/RssAnon:\s+(\d+)/.exec(fs.readFileSync('/proc/self/status', 'latin1'))[1] * 1024;
const turn = () => new Promise((resolve) => setImmediate(resolve));
async function make(name, count) {
  for (let i = 0; i < count; i++) {
    makers[name]();
    if (i % 100 === 99) await new Promise((resolve) => setTimeout(resolve, 1));
    if (i % 500 === 499) {
      globalThis.gc();
      await turn();
    }
  }
}
async function main() {
  for (const name of Object.keys(makers)) {
    await make(name, 1500);
    const before = memory();
    await make(name, 3000);
    // Each has some 10 kilobytes of its own; memory that several threads allocate takes longer to settle.
    console.log(name, isSanitized || (memory() - before) / 3000 < 5000);
  }
  const before = process.memoryUsage().external;
  let streams = Array.from({ length: 100 }, () => zlib.createGzip());
  for (const stream of streams) stream._processChunk(Buffer.from('x'), zlib.constants.Z_SYNC_FLUSH);
  streams = streams.map(() => zlib.createDeflate());
  await Promise.all(streams.map((stream) => new Promise((resolve) => stream.write('x', resolve))));
  console.log('counted', process.memoryUsage().external - before > 100 * 100000);
  for (const stream of streams) stream.close();
  streams = null;
  for (let i = 0; i < 5; i++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  console.log('freed', process.memoryUsage().external - before < 100 * 10000);
}
main();
