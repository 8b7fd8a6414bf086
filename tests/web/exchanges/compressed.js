'use strict';
// Compressed data, damaged or cut short, for the decoders of zlib: as streams that get it in pieces, and at once.
const zlib = require('node:zlib');
const { pipeline } = require('node:stream/promises');
const { Readable } = require('node:stream');
const { digest } = require('./wire');

const formats = {
  deflate: ['createDeflate', 'createInflate', 'inflate'],
  gzip: ['createGzip', 'createGunzip', 'gunzip'],
  raw: ['createDeflateRaw', 'createInflateRaw', 'inflateRaw'],
  unzip: ['createGzip', 'createUnzip', 'unzip'],
  brotli: ['createBrotliCompress', 'createBrotliDecompress', 'brotliDecompress'],
  zstd: ['createZstdCompress', 'createZstdDecompress', 'zstdDecompress'],
};

function makeData(numbers) {
  switch (numbers.below(4)) {
    case 0: return Buffer.alloc(numbers.below(100_000), 'z');
    case 1: return numbers.bytes(numbers.below(3000));
    case 2: return Buffer.from('the same words '.repeat(numbers.below(500)));
    default: return Buffer.alloc(0);
  }
}

async function compress(create, data) {
  const parts = [];
  await pipeline(Readable.from([data]), zlib[create](), async (source) => {
    for await (const part of source) parts.push(part);
  });
  return Buffer.concat(parts);
}

function damage(numbers, bytes) {
  const at = numbers.below(bytes.length + 1);
  switch (numbers.below(6)) {
    case 0: return bytes.subarray(0, at);
    case 1: return Buffer.concat([bytes, numbers.bytes(1 + numbers.below(20))]);
    case 2: return Buffer.concat([bytes, bytes]);
    case 3: return Buffer.concat([bytes.subarray(0, at), numbers.bytes(1 + numbers.below(4)), bytes.subarray(at)]);
    case 4: {
      const changed = Buffer.from(bytes);
      if (changed.length > 0) changed[numbers.below(changed.length)] ^= 1 << numbers.below(8);
      return changed;
    }
    default: return bytes;
  }
}

function makeOptions(numbers, format) {
  const options = {};
  if (numbers.oneIn(3)) options.chunkSize = 64 + numbers.below(1000);
  if (numbers.oneIn(4)) options.maxOutputLength = 1 + numbers.below(5000);
  const isOfZlib = format !== 'brotli' && format !== 'zstd';
  if (numbers.oneIn(6) && isOfZlib) options.finishFlush = zlib.constants.Z_SYNC_FLUSH;
  if (numbers.oneIn(6) && format === 'gzip') options.rejectGarbageAfterEnd = true;
  return options;
}

const describe = (error) => `${error.name} ${error.code} ${error.errno} ${error.message}`;

function asStream(create, options, input, step) {
  return new Promise((resolve) => {
    const parts = [];
    const stream = zlib[create](options);
    let end = 'close';
    stream.on('data', (part) => parts.push(part));
    stream.on('error', (error) => { end = describe(error); });
    stream.on('end', () => { end = 'end'; });
    // Data behind the end of Zstandard is counted in whole pieces, in Node more precisely.
    const written = () => (create === 'createZstdDecompress' ? '' : stream.bytesWritten);
    stream.on('close', () => resolve(`stream: ${end}, ${digest(Buffer.concat(parts))}, ${written()}`));
    for (let at = 0; at < input.length; at += step) stream.write(input.subarray(at, at + step));
    stream.end();
  });
}

// A summary of the result. For data that is damaged and too large, either error may come first.
function summarize(name, options, error, output) {
  if (!error) return `${name}: ${digest(output)}`;
  return `${name}: ${options.maxOutputLength === undefined ? describe(error) : 'an error'}`;
}

async function run(numbers) {
  const format = numbers.pick(Object.keys(formats));
  const [compressor, create, name] = formats[format];
  const input = damage(numbers, await compress(compressor, makeData(numbers)));
  const options = makeOptions(numbers, format);
  const step = numbers.oneIn(2) ? input.length + 1 : 1 + Math.floor(input.length / (1 + numbers.below(20)));
  const events = [`${format} ${JSON.stringify(options)} ${input.length} bytes in pieces of ${step}`,
    input.toString('hex').slice(0, 400)];
  try {
    events.push(summarize('sync', options, null, zlib[`${name}Sync`](input, options)));
  } catch (error) {
    events.push(summarize('sync', options, error));
  }
  events.push(await new Promise((resolve) => {
    zlib[name](input, options, (error, output) => resolve(summarize('async', options, error, output)));
  }));
  events.push(await asStream(create, options, input, step));
  return events;
}

module.exports = { run };
