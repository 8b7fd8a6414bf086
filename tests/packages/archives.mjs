// Archives: tar, which uses zlib's private functions through minizlib, and zip files by yazl and yauzl.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import * as tar from 'tar';
import yauzl from 'yauzl';
import yazl from 'yazl';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-packages-'));
const source = path.join(folder, 'source');
fs.mkdirSync(path.join(source, 'inner'), { recursive: true });
fs.writeFileSync(path.join(source, 'one.txt'), Array.from({ length: 40_000 }, (_, i) => `one ${i}`).join(' '));
fs.writeFileSync(path.join(source, 'inner/two.txt'), 'two');
const show = (name) => console.log(name, ...['one.txt', 'inner/two.txt'].map((file) => {
  const content = fs.readFileSync(path.join(folder, name, 'source', file), 'utf8');
  return `${content.length} ${content.slice(0, 7)}`;
}));

for (const [name, options] of [['plain.tar', {}], ['packed.tgz', { gzip: true }], ['brotli.tbr', { brotli: true }]]) {
  const file = path.join(folder, name);
  await tar.create({ ...options, file, cwd: folder, portable: true }, ['source']);
  for (const sync of [false, true]) {
    const target = `${name}-${sync}`;
    fs.mkdirSync(path.join(folder, target));
    await tar.extract({ file, cwd: path.join(folder, target), sync });
    show(target);
  }
  const names = [];
  await tar.list({ file, onReadEntry: (entry) => names.push(`${entry.path} ${entry.size}`) });
  console.log(names.sort());
}
fs.mkdirSync(path.join(folder, 'sync'));
tar.create({ gzip: true, sync: true, file: path.join(folder, 'sync.tgz'), cwd: folder }, ['source']);
tar.extract({ file: path.join(folder, 'sync.tgz'), cwd: path.join(folder, 'sync'), sync: true });
show('sync');
fs.writeFileSync(path.join(folder, 'bad.tgz'), Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(100, 7)]));
await tar.list({ file: path.join(folder, 'bad.tgz') }).catch((error) => console.log(error.code));

const zip = new yazl.ZipFile();
zip.addFile(path.join(source, 'one.txt'), 'one.txt');
zip.addBuffer(Buffer.from('stored'), 'stored.txt', { compress: false });
zip.addReadStream(fs.createReadStream(path.join(source, 'inner/two.txt')), 'two.txt');
zip.end();
const packed = path.join(folder, 'files.zip');
zip.outputStream.pipe(fs.createWriteStream(packed));
await once(zip.outputStream, 'end');
await new Promise(setImmediate);
const archive = await promisify(yauzl.open)(packed, { lazyEntries: true });
archive.on('entry', async (entry) => {
  const stream = await promisify(archive.openReadStream.bind(archive))(entry);
  console.log(entry.fileName, entry.uncompressedSize, entry.crc32, (await text(stream)).slice(0, 7));
  archive.readEntry();
});
archive.readEntry();
await once(archive, 'end');
fs.rmSync(folder, { recursive: true });
