'use strict';
// FileHandle: every method, its overloads, and what it says to wrong arguments.
const fs = require('fs');
const os = require('os');
const fsp = fs.promises;

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);

async function attempt(name, run) {
  try {
    console.log(name, '->', await run());
  } catch (error) {
    console.log(name, '!!', error.name, error.code, error.message);
  }
}

(async () => {
  fs.writeFileSync('f', 'hello world');
  const h = await fsp.open('f', 'r+');
  console.log(typeof h.fd, typeof h.getAsyncId(), typeof h.on);
  await attempt('read()', async () => {
    const { bytesRead, buffer } = await h.read();
    return [bytesRead, buffer.length];
  });
  await attempt('read(buffer, ...)', () => h.read(Buffer.alloc(5), 0, 5, 0));
  await attempt('read(options)', () => h.read({ buffer: Buffer.alloc(5), position: 6 }));
  await attempt('read(buffer, options)', () => h.read(Buffer.alloc(5), { offset: 1, length: 2, position: 6 }));
  await attempt('read(null)', async () => (await h.read(null)).bytesRead);
  await attempt('read(view)', async () => (await h.read(new Uint16Array(3), 0, 6, 0)).buffer[0]);
  await attempt('read(3)', () => h.read(3));
  await attempt('offset 5 of 3', () => h.read(Buffer.alloc(3), 5));
  await attempt('length 5 of 3', () => h.read(Buffer.alloc(3), 0, 5));
  await attempt('position x', () => h.read(Buffer.alloc(3), 0, 2, 'x'));
  await attempt('nothing to read into', () => h.read(Buffer.alloc(0)));
  await attempt('offset 0.5', () => h.read(Buffer.alloc(3), 0.5));
  await attempt('nulls', () => h.read(Buffer.alloc(3), null, null, 0));
  await attempt('write(string)', () => h.write('abc', 0, 'utf8'));
  await attempt('write(hex)', () => h.write('6162', 0, 'hex'));
  await attempt('write(odd hex)', () => h.write('616', 0, 'hex'));
  await attempt('write(buffer)', () => h.write(Buffer.from('xyz'), 1, 1, 0));
  await attempt('write(options)', () => h.write(Buffer.from('xyz'), { offset: 1, position: 3 }));
  await attempt('write(3)', () => h.write(3));
  await attempt('write({})', () => h.write({ toString() { return 'x'; } }));
  await attempt('write offset', () => h.write(Buffer.from('xyz'), 5));
  await attempt('write length', () => h.write(Buffer.from('xyz'), 0, 9));
  await attempt('write nothing', () => h.write(Buffer.alloc(0)));
  await attempt('write no text', () => h.write(''));
  await attempt('readv', () => h.readv([Buffer.alloc(2), Buffer.alloc(3)], 0));
  await attempt('readv(3)', () => h.readv(3));
  await attempt('readv([3])', () => h.readv([3]));
  await attempt('readv([])', () => h.readv([]));
  await attempt('writev', () => h.writev([Buffer.from('aa'), Buffer.from('bb')], 0));
  await attempt('writev(x)', () => h.writev('x'));
  await attempt('writev([])', () => h.writev([]));
  await attempt('truncate', () => h.truncate(4));
  await attempt('text', () => fs.readFileSync('f', 'utf8'));
  await attempt('truncate(x)', () => h.truncate('x'));
  await attempt('truncate(-4)', () => h.truncate(-4));
  await attempt('stat', async () => (await h.stat()).size);
  await attempt('stat bigint', async () => (await h.stat({ bigint: true })).size);
  await attempt('chmod', () => h.chmod(0o600));
  await attempt('mode', () => (fs.statSync('f').mode & 0o777).toString(8));
  await attempt('chmod(zz)', () => h.chmod('zz'));
  await attempt('chown(-2)', () => h.chown(-2, 0));
  await attempt('chown(a)', () => h.chown('a', 0));
  await attempt('utimes', () => h.utimes(1, 2));
  await attempt('mtime', () => fs.statSync('f').mtimeMs);
  await attempt('utimes(x)', () => h.utimes('x', 2));
  await attempt('sync', () => h.sync());
  await attempt('datasync', () => h.datasync());
  await h.close();
  fs.rmSync(folder, { recursive: true });
})();
