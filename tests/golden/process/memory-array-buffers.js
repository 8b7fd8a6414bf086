// process.memoryUsage().arrayBuffers and .external count the memory of buffers, of any origin.
'use strict';
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');

const kSize = 8 << 20;
const held = [];
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memory-'));
const file = path.join(folder, 'file');
fs.writeFileSync(file, '');
fs.truncateSync(file, kSize);

// True if both have grown by about the allocated size. Garbage that is collected meanwhile may hide some of it.
async function measure(label, action) {
  for (let i = 0; i < 2; i++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const before = process.memoryUsage();
  held.push(await action());
  const after = process.memoryUsage();
  const isAbout = (name) => {
    const grown = (after[name] - before[name]) / kSize;
    return grown > 0.9 && grown < 3.5 ? true : grown;
  };
  console.log(label, isAbout('arrayBuffers'), isAbout('external'));
}

async function collect(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

(async () => {
  await measure('Buffer.alloc', () => Buffer.alloc(kSize));
  await measure('Buffer.allocUnsafe', () => Buffer.allocUnsafe(kSize));
  await measure('Buffer.from', () => Buffer.from('x'.repeat(kSize)));
  await measure('Uint8Array', () => new Uint8Array(kSize));
  await measure('readFileSync', () => fs.readFileSync(file));
  await measure('readFile', () => new Promise((resolve) => fs.readFile(file, (error, data) => resolve(data))));
  await measure('promises.readFile', () => fs.promises.readFile(file));
  await measure('createReadStream', () => collect(fs.createReadStream(file)));
  const server = net.createServer((socket) => fs.createReadStream(file).pipe(socket));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  await measure('socket', () => collect(net.connect(server.address().port, '127.0.0.1')));
  server.close();
  const most = process.memoryUsage().arrayBuffers;
  held.length = 0;
  for (let i = 0; i < 5; i++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  console.log('freed', most - process.memoryUsage().arrayBuffers > 7 * kSize);
  fs.rmSync(folder, { recursive: true });
})();
