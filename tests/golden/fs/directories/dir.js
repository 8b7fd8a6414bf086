'use strict';
// fs.Dir: reading in every way, at once and below, and what is wrong with the rest.
const fs = require('fs');
const os = require('os');

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);
fs.mkdirSync('a/b/c', { recursive: true });
fs.mkdirSync('a/d');
for (const name of ['a/x', 'a/b/y', 'a/d/z', 'a/b/c/w']) fs.writeFileSync(name, '');
fs.symlinkSync('x', 'a/link');

function attempt(name, run) {
  try {
    console.log(name, '->', run());
  } catch (error) {
    console.log(name, '!!', error.name, error.code, error.message, error.syscall);
  }
}
const name = (entry) => entry?.name;

(async () => {
  let dir = fs.opendirSync('a');
  console.log(dir.path, dir instanceof fs.Dir);
  const names = [];
  for (let entry; (entry = dir.readSync()) !== null;) {
    names.push(`${entry.parentPath}/${entry.name} ${entry.isDirectory()} ${entry.isFile()} ${entry.isSymbolicLink()}`);
  }
  console.log(names.sort());
  console.log(dir.readSync());
  dir.closeSync();
  attempt('readSync', () => dir.readSync());
  attempt('closeSync', () => dir.closeSync());
  await dir.read().catch((error) => console.log('read()', error.code));
  attempt('read(f)', () => dir.read(() => {}));
  await dir.close().catch((error) => console.log('close()', error.code));
  await new Promise((resolve) => dir.close((error) => resolve(console.log('close(f)', error.code))));
  attempt('close(3)', () => dir.close(3));

  for (const bufferSize of [32, 1000]) {
    const seen = [];
    for await (const entry of fs.opendirSync('a', { recursive: true, bufferSize })) seen.push(`${entry.parentPath}/${entry.name}`);
    console.log(seen.sort().join(' '));
  }
  dir = fs.opendirSync('a', { recursive: true });
  let count = 0;
  while (dir.readSync() !== null) count++;
  dir.closeSync();
  console.log(count);

  dir = await fs.promises.opendir('a', { bufferSize: 2 });
  const first = dir.read();
  attempt('readSync meanwhile', () => dir.readSync());
  attempt('closeSync meanwhile', () => dir.closeSync());
  const all = await Promise.all([first, dir.read(), dir.read(), dir.read(), dir.read()]);
  console.log(all.map(name).sort());
  const last = dir.read();
  await dir.close();
  console.log(await last);

  dir = await fs.promises.opendir('a');
  await new Promise((resolve) => {
    dir.read((error, entry) => {
      console.log(error, typeof entry.name);
      dir.close((error) => resolve(console.log(error)));
    });
    console.log('not yet');
  });

  for await (const entry of await fs.promises.opendir('a')) {
    console.log(typeof entry.name);
    break; // Closes it.
  }
  dir = await fs.promises.opendir('a');
  try {
    for await (const entry of dir) throw new Error(typeof entry);
  } catch (error) {
    console.log(error.message);
  }
  attempt('closed by the loop', () => dir.readSync());

  const bytes = await fs.promises.opendir('a/d', { encoding: 'buffer' });
  console.log((await bytes.read()).name);
  await bytes.close();
  const hex = await fs.promises.opendir(Buffer.from('a/d'), 'hex');
  console.log((await hex.read()).name);
  await hex.close();

  attempt('none', () => fs.opendirSync('none'));
  attempt('a file', () => fs.opendirSync('a/x'));
  attempt('bufferSize 0', () => fs.opendirSync('a', { bufferSize: 0 }));
  attempt('bufferSize x', () => fs.opendirSync('a', { bufferSize: 'x' }));
  attempt('encoding', () => fs.opendirSync('a', { encoding: 'x' }));
  attempt('no path', () => fs.opendirSync());
  attempt('no callback', () => fs.opendir('a'));
  attempt('nothing', () => fs.opendir());
  attempt('callback 3', () => fs.opendir('a', {}, 3));
  attempt('path 3', () => fs.opendir(3, () => {}));
  attempt('no handle', () => new fs.Dir());
  fs.opendir('none', (error, dir) => {
    console.log(error.message, error.code, error.syscall, error.path, dir);
    fs.opendir('a', (error, dir) => {
      console.log(error, dir.path);
      dir.closeSync();
      fs.rmSync(folder, { recursive: true });
    });
  });
})();
