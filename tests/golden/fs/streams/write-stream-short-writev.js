'use strict';
// A WriteStream whose writev() takes a part of the data at a time goes on behind it, in the middle of a chunk, too.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'golden-'));
const file = path.join(folder, 'file');
const counts = [];
const stream = fs.createWriteStream(file, {
  fs: {
    ...fs,
    writev(fd, chunks, position, callback) {
      const all = Buffer.concat(chunks);
      const count = Math.min(all.length, 7);
      counts.push(`${chunks.length}:${count}`);
      fs.write(fd, all, 0, count, position, (error, written) => callback(error, written, chunks));
    },
  },
});
for (let i = 0; i < 12; i++) stream.write(`<${i}>`);
stream.end();
stream.on('close', () => {
  console.log(counts.join(' '));
  console.log(stream.bytesWritten, fs.readFileSync(file, 'utf8'));
  fs.rmSync(folder, { recursive: true });
});
