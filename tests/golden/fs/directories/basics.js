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
const rel = (list) => list.map((entry) => (typeof entry === 'string' ? plain(entry) : entry));
attempt('mkdir', () => fs.mkdirSync(at('a')));
attempt('mkdir', () => fs.mkdirSync(at('a')));
attempt('recursive', () => fs.mkdirSync(at('a/b/c/d'), { recursive: true }));
attempt('again', () => fs.mkdirSync(at('a/b/c/d'), { recursive: true }));
attempt('slash', () => fs.mkdirSync(`${at('a/e/f')}/`, { recursive: true }));
fs.writeFileSync(at('file'), '');
attempt('file', () => fs.mkdirSync(at('file'), { recursive: true }));
attempt('below a file', () => fs.mkdirSync(at('file/x/y'), { recursive: true }));
attempt('mode', () => (fs.mkdirSync(at('m/n'), { recursive: true, mode: 0o700 }), (fs.statSync(at('m')).mode & 0o777).toString(8)));
process.chdir(dir);
attempt('relative', () => fs.mkdirSync('r/s/t', { recursive: true }));
attempt('relative', () => fs.mkdirSync('./r/u', { recursive: true }));
attempt('empty', () => fs.mkdirSync('', { recursive: true }));
for (const name of ['z', 'B', 'a', 'é', '10', '9', '.hidden', 'with space']) fs.writeFileSync(at(`a/b/${name}`), '');
fs.symlinkSync('b', at('a/link'));
console.log(fs.readdirSync(at('a/b')), fs.readdirSync('a'));
console.log(fs.readdirSync(at('a/b'), 'buffer'), fs.readdirSync(at('a/b'), { encoding: 'hex' }), fs.readdirSync(at('a/b'), 'latin1'));
console.log(fs.readdirSync('a', { withFileTypes: true }));
console.log(fs.readdirSync('a', { withFileTypes: true, encoding: 'buffer' }).map((d) => [d.name, d.isSymbolicLink(), d.parentPath]));
console.log(fs.readdirSync('a', { recursive: true }));
console.log(fs.readdirSync('a', { recursive: true, withFileTypes: true }).map((d) => `${d.parentPath}:${d.name}:${d.isDirectory()}`));
console.log(fs.readdirSync(at('r/s/t')), rel(fs.readdirSync(dir)));
fs.rmdirSync(at('r/s/t'));
fs.unlinkSync(at('file'));
const made = fs.mkdtempSync(at('tmp-'));
console.log(made.length - at('tmp-').length, fs.statSync(made).isDirectory(), Buffer.isBuffer(fs.mkdtempSync(at('tmp-'), 'buffer')));
console.log(fs.mkdtempSync(Buffer.from(at('b-'))).startsWith(at('b-')));
const call = (name, ...args) => new Promise((resolve) => {
  fs[name](...args, (...result) => resolve(result.map((item) => (typeof item === 'string' ? plain(item) : item))));
});
(async () => {
  console.log(await call('mkdir', at('q')), await call('mkdir', at('q/w/e'), { recursive: true }), await call('mkdir', at('q'), { recursive: true }));
  console.log((await call('mkdir', at('q')))[0].code, await call('mkdir', at('mode'), 0o755));
  console.log(await call('readdir', 'a'), await call('readdir', 'a', { withFileTypes: true }), await call('readdir', 'a', 'hex'));
  console.log(await call('readdir', 'a', { recursive: true }));
  console.log((await call('readdir', 'none'))[0].message);
  console.log(await call('rmdir', at('q/w/e')), (await call('mkdtemp', at('y-')))[1].length === 'DIR/y-'.length + 6);
})();
