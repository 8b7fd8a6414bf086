// The order of callbacks when a file stream has closed, and a copy that uses little memory.
//   ./dev run examples/files.js
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const { pipeline } = require('stream/promises');

async function main() {
  const folder = await fs.promises.mkdtemp(path.join(os.tmpdir(), 'rondo-'));
  const copy = path.join(folder, 'copy');

  // Chunk by chunk: the source waits while the target is busy.
  const source = fs.createReadStream(__filename, { highWaterMark: 256 });
  let chunks = 0;
  source.on('data', () => chunks++);
  await pipeline(source, fs.createWriteStream(copy));
  const { size } = await fs.promises.stat(copy);
  console.log(`copied ${size} bytes in ${chunks} chunks`);

  // 'close' is emitted in the poll phase, and the check phase is next: the immediate always comes first.
  await new Promise((resolve) => {
    fs.createReadStream(copy).on('close', () => {
      console.log('closed');
      setTimeout(() => {
        console.log('timeout');
        resolve();
      }, 0);
      setImmediate(() => console.log('immediate'));
    }).resume();
  });

  const handle = await fs.promises.open(copy);
  for await (const line of handle.readLines({ end: 60 })) console.log('>', line);
  await fs.promises.rm(folder, { recursive: true });
}

main();
