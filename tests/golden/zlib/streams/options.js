'use strict';
// Options for the stream itself reach it, also through the functions.
const zlib = require('node:zlib');

const stream = zlib.createGzip({ highWaterMark: 100, readableHighWaterMark: 7, objectMode: true, encoding: 'hex' });
console.log(stream.writableHighWaterMark, stream.readableHighWaterMark, stream.readableObjectMode,
  stream.writableObjectMode, stream.readableEncoding, stream._chunkSize);
zlib.gzip('abc', { info: true }, (error, { buffer, engine }) => {
  console.log(error, buffer.length, engine.constructor.name, engine.bytesWritten, engine._closed);
});
const { buffer, engine } = zlib.inflateSync(zlib.deflateSync('abc'), { info: true });
console.log(String(buffer), engine.constructor.name, engine.bytesWritten);
zlib.gzip('abc', { signal: AbortSignal.abort() }, (error, result) => console.log(error.name, error.code, result));
const controller = new AbortController();
zlib.gzip('abc', { signal: controller.signal }, (error, result) => console.log(error.name, result));
controller.abort();
process.on('warning', (warning) => console.log(warning.name, warning.code, warning.message));
console.log(zlib.Gzip() instanceof zlib.Gzip, zlib.Inflate({ chunkSize: 100 })._chunkSize);
try {
  zlib.ZstdCompress();
} catch (error) {
  console.log(error.name, error.message);
}
// Packages use the private function.
const engines = [zlib.createDeflate(), zlib.createGzip({ chunkSize: 64 })];
for (const one of engines) {
  const result = one._processChunk(Buffer.from('abcdefgh'.repeat(100)), zlib.constants.Z_FINISH);
  console.log(result.length > 0, one._closed, one.bytesWritten);
}
try {
  zlib.createInflate()._processChunk(Buffer.from('bad'), zlib.constants.Z_FINISH);
} catch (error) {
  console.log(error.code);
}
const broken = zlib.createDeflate();
broken._outOffset = 1e6;
try {
  broken._processChunk(Buffer.from('x'), zlib.constants.Z_FINISH);
} catch (error) {
  console.log(error.code, error.message);
}
