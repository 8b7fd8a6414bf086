'use strict';
// file_streams.cjs ROW FOLDER [SCALE]: runs one row and prints { wall, processor }, seconds per GiB or per operation,
// of the fastest of several rounds.
const fs = require('node:fs');
const path = require('node:path');

const [, , row, folder, scale = '1'] = process.argv;
const size = Math.max(1, Math.round(256 * +scale)) * 2 ** 20;
const rounds = +scale < 1 ? 2 : 6;
const source = path.join(folder, 'source');
const target = path.join(folder, 'target');

function closed(stream) {
  return new Promise((resolve, reject) => stream.on('error', reject).on('close', resolve));
}

async function read() {
  let bytes = 0;
  const stream = fs.createReadStream(source);
  stream.on('data', (chunk) => { bytes += chunk.length; });
  await closed(stream);
  if (bytes !== size) throw new Error(`${bytes} bytes of ${size}`);
}

async function iterate() {
  let bytes = 0;
  for await (const chunk of fs.createReadStream(source)) bytes += chunk.length;
  if (bytes !== size) throw new Error(`${bytes} bytes of ${size}`);
}

function write(chunkSize) {
  const chunk = Buffer.alloc(chunkSize, 'x');
  return async () => {
    const stream = fs.createWriteStream(target);
    let left = size / chunkSize;
    const more = () => {
      for (; left > 0; left--) {
        if (!stream.write(chunk)) {
          left--;
          stream.once('drain', more);
          return;
        }
      }
      stream.end();
    };
    more();
    await closed(stream);
  };
}

async function copy() {
  const to = fs.createWriteStream(target);
  fs.createReadStream(source).pipe(to);
  await closed(to);
}

const files = Math.max(10, Math.round(2000 * +scale));
async function promises() {
  for (let i = 0; i < files; i++) await fs.promises.stat(source);
}

async function handles() {
  for (let i = 0; i < files; i++) {
    const handle = await fs.promises.open(source);
    await handle.close();
  }
}

const perGiB = size / 2 ** 30;
const rows = {
  read: [read, perGiB],
  iterate: [iterate, perGiB],
  write: [write(65536), perGiB],
  small: [write(1024), perGiB],
  copy: [copy, perGiB],
  stat: [promises, files],
  open: [handles, files],
};

(async () => {
  const [run, per] = rows[row];
  const megabyte = Buffer.alloc(2 ** 20, 'x');
  const fd = fs.openSync(source, 'w');
  for (let i = 0; i < size / 2 ** 20; i++) fs.writeSync(fd, megabyte);
  fs.closeSync(fd);
  const best = { wall: Infinity, processor: Infinity };
  for (let i = 0; i < rounds; i++) {
    const began = process.hrtime.bigint();
    const before = process.cpuUsage();
    await run();
    const used = process.cpuUsage(before);
    best.wall = Math.min(best.wall, Number(process.hrtime.bigint() - began) / 1e9 / per);
    best.processor = Math.min(best.processor, (used.user + used.system) / 1e6 / per);
  }
  console.log(JSON.stringify(best));
})();
