'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'golden-'));
const at = (name) => path.join(dir, name);
const plain = (text) => String(text).split(dir).join('DIR');
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
function attempt(name, fn) {
  try {
    const value = fn();
    console.log(name, '->', typeof value === 'string' ? plain(value) : value);
  } catch (error) {
    console.log(name, error.name, error.code, plain(error.message));
  }
}
fs.writeFileSync(at('file'), 'twelve bytes', { mode: 0o640 });
fs.symlinkSync('file', at('link'));
const when = new Date('2020-02-03T04:05:06.789Z');
fs.utimesSync(at('file'), when, 1234567890.25);
const kinds = ['isFile', 'isDirectory', 'isBlockDevice', 'isCharacterDevice', 'isSymbolicLink', 'isFIFO', 'isSocket'];
const kind = (s) => kinds.filter((name) => s[name]()).join();
function show(name, s) {
  console.log(name, s.constructor.name, kind(s), s.mode.toString(8), s.size, s.nlink, Object.keys(s).join());
  console.log(s.atime, s.mtime, s.atimeMs, s.mtimeMs, s.atimeNs, s.mtimeNs, typeof s.ino, s.birthtime instanceof Date);
}
show('stat', fs.statSync(at('file')));
show('bigint', fs.statSync(at('file'), { bigint: true }));
const fd = fs.openSync(at('file'));
show('fstat', fs.fstatSync(fd));
fs.closeSync(fd);
console.log(kind(fs.lstatSync(at('link'))), kind(fs.statSync(at('link'))), kind(fs.statSync(dir)), kind(fs.statSync('/dev/null')));
console.log(fs.statSync(at('file')).isFile === fs.Stats.prototype.isFile, fs.statSync(at('file')) instanceof fs.Stats);
console.log(Object.getOwnPropertyNames(fs.Stats.prototype), fs.Stats.length, Object.getOwnPropertyDescriptor(fs.statSync(at('file')), 'mtime'));
const keys = [];
for (const key in fs.statSync(at('file'))) keys.push(key);
console.log(keys.join(), JSON.stringify(fs.statSync(at('file')).mtime));
console.log(new fs.Stats(1, 0o100644, 1, 0, 0, 0, 4096, 5, 6, 8, 1.4, 2.5, 3.6, -1));
console.log(Object.keys(fs.statfsSync(dir)), typeof fs.statfsSync(dir, { bigint: true }).bsize, fs.statfsSync(dir).constructor.name);
for (const [atime, mtime] of [['1', '2.5'], [1.5, new Date(0)], [-3, 0.000001], [1e9 + 0.123456789, 253402300799]]) {
  fs.utimesSync(at('file'), atime, mtime);
  const { atimeNs, mtimeNs } = fs.statSync(at('file'), { bigint: true });
  console.log(Number(atime) < 0 ? 'now' : atimeNs, mtimeNs);
}
fs.lutimesSync(at('link'), 100, 200);
console.log(fs.lstatSync(at('link')).mtimeMs, fs.statSync(at('link')).mtimeMs === 200000);
fs.stat(at('file'), (error, s) => {
  console.log(error, s.size);
  fs.stat(at('file'), { bigint: true }, (failure, big) => {
    console.log(failure, big.size, big.constructor.name);
    fs.lstat(at('link'), (e, l) => console.log(e, kind(l)));
    fs.statfs(dir, { bigint: true }, (e, f) => console.log(e, typeof f.blocks));
    // Many at once: each has its own numbers.
    let left = 50;
    for (let i = 0; i < 50; i++) {
      fs.writeFileSync(at(`n${i}`), 'x'.repeat(i));
      fs.stat(at(`n${i}`), (e, n) => {
        if (n.size !== i) console.log('wrong', i, n.size);
        if (--left === 0) console.log('all right');
      });
    }
  });
});
