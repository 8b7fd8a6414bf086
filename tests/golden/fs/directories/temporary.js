'use strict';
// Directories that remove themselves, blobs of files at once, and what statistics have.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const prefix = path.join(os.tmpdir(), 'golden-');
const first = fs.mkdtempDisposableSync(prefix);
console.log(Object.keys(first), first.path.startsWith(prefix), fs.existsSync(first.path));
fs.writeFileSync(path.join(first.path, 'file'), 'content');
fs.utimesSync(path.join(first.path, 'file'), 1.5, 2.25);
const stats = fs.statSync(path.join(first.path, 'file'));
console.log(stats.atime, stats.mtimeMs, Object.keys(stats).includes('mtime'), 'frsize' in fs.statfsSync(first.path));
const blob = fs.openAsBlobSync(path.join(first.path, 'file'), { type: 'text/plain' });
(async () => {
  console.log(blob.size, blob.type, await blob.text());
  first.remove();
  console.log(fs.existsSync(first.path));
  const second = await fs.promises.mkdtempDisposable(prefix);
  console.log(Object.keys(second), fs.existsSync(second.path), await second.remove(), fs.existsSync(second.path));
  for (const call of [() => fs.rmdirSync('.', { recursive: true }), () => fs.openAsBlobSync('none'), () => fs.openAsBlobSync(5),
    () => fs.statSync('.', 5).isDirectory(), () => fs.watch('.', { ignore: '' }), () => fs.watch('.', { ignore: [5] })]) {
    try {
      console.log(call());
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
  fs.stat('.', { signal: AbortSignal.abort() }, (error) => console.log(error.name, error.code));
})();
