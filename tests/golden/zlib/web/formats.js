'use strict';
// CompressionStream and DecompressionStream.
const zlib = require('node:zlib');

const formats = ['deflate', 'deflate-raw', 'gzip', 'brotli'];
const report = (error) => `${error.name} ${error.code} ${error.message} ${error.cause?.code}`;
async function through(stream, chunks) {
  const writer = stream.writable.getWriter();
  const results = chunks.map((chunk) => writer.write(chunk).then(() => 'written', report));
  results.push(writer.close().then(() => 'closed', report));
  const parts = [];
  try {
    for await (const part of stream.readable) parts.push(part);
  } catch (error) {
    parts.push(report(error));
  }
  return [parts, await Promise.all(results)];
}
async function main() {
  for (const format of formats) {
    const [parts, results] = await through(new CompressionStream(format),
      [new TextEncoder().encode('hello '), new TextEncoder().encode('world').buffer, new DataView(new ArrayBuffer(2))]);
    const packed = Buffer.concat(parts);
    console.log(format, parts[0].constructor.name, results.join());
    const [back, more] = await through(new DecompressionStream(format), [packed.subarray(0, 4), packed.subarray(4)]);
    console.log(Buffer.concat(back).toString('latin1'), more.join());
    console.log(await through(new DecompressionStream(format), [packed, Buffer.from('junk')]));
    console.log(await through(new DecompressionStream(format), [packed.subarray(0, packed.length - 3)]));
    console.log(await through(new DecompressionStream(format), [Buffer.from([1, 2, 3, 4, 5, 6, 7, 8])]));
    console.log(await through(new DecompressionStream(format), []));
    for (const chunk of [undefined, null, 5, {}, new SharedArrayBuffer(2), new Uint8Array(new SharedArrayBuffer(2))]) {
      const stream = new CompressionStream(format);
      const reader = stream.readable.getReader();
      const writer = stream.writable.getWriter();
      const written = writer.write(chunk).then(() => 'written', report);
      writer.closed.catch(() => {});
      console.log(await written, await reader.read().then((result) => result.done, report));
    }
  }
  for (const format of [1, 'x', undefined, null, Symbol('a'), 'zstd', {}]) {
    for (const Class of [CompressionStream, DecompressionStream]) {
      try {
        new Class(format);
      } catch (error) {
        console.log(error.name, error.code, error.message);
      }
    }
  }
  try {
    CompressionStream('gzip');
  } catch (error) {
    console.log(error.name, error.message);
  }
  console.log(Object.prototype.toString.call(new CompressionStream('gzip')), CompressionStream.length,
    Object.keys(CompressionStream.prototype).join(), require('stream/web').CompressionStream === CompressionStream);
  try {
    Reflect.get(CompressionStream.prototype, 'readable', {});
  } catch (error) {
    console.log(error.name, error.code);
  }
  console.log(require('util').inspect(new DecompressionStream('gzip'), { depth: 0 }));
  const response = new Blob(['blob content']).stream().pipeThrough(new CompressionStream('gzip'));
  const parts = [];
  for await (const part of response) parts.push(part);
  console.log(String(zlib.gunzipSync(Buffer.concat(parts))));
}
main();
