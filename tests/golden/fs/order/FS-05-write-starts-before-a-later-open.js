'use strict';
// A file stream that has been opened starts its first write before a stream that its 'open' listener makes is opened.
process.env.UV_THREADPOOL_SIZE = '1';
const fs = require('fs');
const os = require('os');
const path = require('path');

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'fs-05-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true }));

function write(name) {
  const stream = fs.createWriteStream(path.join(dir, name));
  for (const event of ['open', 'finish', 'close']) stream.on(event, () => console.log(name, event));
  stream.write('text', () => console.log(name, 'written'));
  stream.end();
  return stream;
}

write('first').on('open', () => {
  write('second');
  fs.exists(dir, () => console.log('exists'));
});
