'use strict';
// Cases that end Node, or that depend on Rondo's own implementation.
const test = require('node:test');
const assert = require('node:assert');
const zlib = require('node:zlib');
const { promisify } = require('node:util');

test('memory that shrinks during a job is not read', async () => {
  const memory = new ArrayBuffer(100_000, { maxByteLength: 200_000 });
  new Uint8Array(memory).fill(7);
  const pending = promisify(zlib.deflate)(new Uint8Array(memory));
  memory.resize(0);
  assert.deepStrictEqual(zlib.inflateSync(await pending), Buffer.alloc(100_000, 7));
  const stream = zlib.createDeflate().resume();
  const second = new ArrayBuffer(100_000, { maxByteLength: 200_000 });
  const written = new Promise((resolve) => stream.write(new Uint8Array(second), resolve));
  second.resize(0);
  await written;
  assert.strictEqual(stream.bytesWritten, 100_000);
});

test('whole inputs of all sizes are compressed to what zlib understands', () => {
  let seed = 1;
  for (let size = 4000; size < 200_000; size = Math.round(size * 1.3)) {
    const input = Buffer.alloc(size);
    for (let i = 0; i < size; i++) {
      seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
      input[i] = (seed >> 16) & (size % 3 === 0 ? 0xff : 0x0f);
    }
    for (let level = 1; level <= 9; level++) {
      for (const [pack, unpack] of [['gzip', 'gunzip'], ['deflate', 'inflate'], ['deflateRaw', 'inflateRaw']]) {
        const packed = zlib[`${pack}Sync`](input, { level });
        assert.ok(zlib[`${unpack}Sync`](packed).equals(input), `${pack} ${size} ${level}`);
        // Not worse than zlib by more than a tenth.
        const reference = zlib[`${pack}Sync`](input, { level, memLevel: 9 });
        assert.ok(packed.length < reference.length * 1.1 + 20,
          `${pack} ${size} ${level} ${packed.length} ${reference.length}`);
      }
    }
  }
});

test('output that was made ahead is given in the right order', async () => {
  const input = Buffer.alloc(3_000_000);
  for (let i = 0; i < input.length; i += 4) input.writeUInt32LE(i / 4 % 50_021, i);
  const pairs = [['gzip', 'Gunzip'], ['brotliCompress', 'BrotliDecompress'], ['zstdCompress', 'ZstdDecompress']];
  for (const [pack, Unpack] of pairs) {
    const options = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } };
    const packed = zlib[`${pack}Sync`](input, pack === 'brotliCompress' ? options : undefined);
    for (const chunkSize of [64 * 10, 16_384, 50_000, 1 << 20]) {
      const stream = new zlib[Unpack]({ chunkSize });
      stream.end(packed);
      const parts = [];
      for await (const part of stream) {
        parts.push(part);
        // The reader stops now and then.
        if (parts.length % 7 === 0) await new Promise(setImmediate);
      }
      assert.ok(Buffer.concat(parts).equals(input));
      assert.strictEqual(stream.bytesWritten, packed.length);
    }
  }
});

test('a reset drops output that was made ahead', async () => {
  const first = zlib.deflateSync(Buffer.alloc(1_000_000, 'a'));
  const stream = zlib.createInflate();
  stream.write(first);
  await new Promise((resolve) => stream.once('data', resolve));
  stream.pause();
  await new Promise(setImmediate);
  try {
    stream.reset();
  } catch (error) {
    assert.match(error.message, /while a write is in progress/);
  }
  stream.destroy();
});

test('changing the level while a write is in progress waits for it', async () => {
  const stream = zlib.createDeflate();
  const chunks = [];
  stream.on('data', (chunk) => chunks.push(chunk));
  const input = Buffer.alloc(500_000, 'some text');
  const written = new Promise((resolve) => stream.write(input, resolve));
  stream._handle.params(1, 0);
  await written;
  stream.end('end');
  await new Promise((resolve) => stream.on('end', resolve));
  assert.strictEqual(zlib.inflateSync(Buffer.concat(chunks)).length, input.length + 3);
});

test('process.versions has the versions of the libraries', () => {
  assert.match(process.versions.zlib, /^1\.3/);
  assert.match(process.versions.brotli, /^1\.\d+\.\d+$/);
  assert.match(process.versions.zstd, /^1\.5/);
});
