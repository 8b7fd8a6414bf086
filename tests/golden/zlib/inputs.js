'use strict';
// Kinds of input: strings, views, buffers, shared and resizable memory.
const zlib = require('node:zlib');
const { promisify } = require('node:util');

const bytes = Uint8Array.from('some text, some text', (letter) => letter.charCodeAt(0));
const shared = new SharedArrayBuffer(20);
new Uint8Array(shared).set(bytes);
const resizable = new ArrayBuffer(20, { maxByteLength: 100 });
new Uint8Array(resizable).set(bytes);
const inputs = {
  string: 'some text, some text', buffer: Buffer.from(bytes), part: Buffer.from('xxsome text, some textxx').subarray(2, 22),
  typed: bytes, small: bytes.slice(0, 3), uint16: new Uint16Array(bytes.buffer), view: new DataView(bytes.buffer, 4, 8),
  arrayBuffer: bytes.buffer, shared, sharedView: new Uint8Array(shared), resizable, resizableView: new Uint8Array(resizable),
  unicode: 'ä€😀\ud800', empty: '', emptyView: new Uint8Array(0),
};
async function main() {
  for (const [name, input] of Object.entries(inputs)) {
    const sync = zlib.inflateSync(zlib.deflateSync(input)).toString('hex');
    const async = (await promisify(zlib.gunzip)(await promisify(zlib.gzip)(input))).toString('hex');
    const brotli = zlib.brotliDecompressSync(zlib.brotliCompressSync(input)).toString('hex');
    const zstd = (await promisify(zlib.zstdDecompress)(await promisify(zlib.zstdCompress)(input))).toString('hex');
    console.log(name, sync, sync === async, sync === brotli, sync === zstd);
  }
  // No data is the same as the end.
  console.log(await promisify(zlib.gunzip)(await promisify(zlib.gzip)(null)));
  console.log(await promisify(zlib.gunzip)(await promisify(zlib.gzip)(undefined)));
  // The memory goes away during the job.
  const lost = new ArrayBuffer(100000);
  const pending = promisify(zlib.gzip)(lost);
  structuredClone(lost, { transfer: [lost] });
  console.log((await promisify(zlib.gunzip)(await pending)).length);
}
main();
