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
process.chdir(dir);
fs.writeFileSync('file', 'text');
fs.mkdirSync('sub');
fs.linkSync('file', 'hard');
fs.symlinkSync('file', 'soft');
fs.symlinkSync('../file', 'sub/up', 'file');
fs.symlinkSync('sub', 'dirlink', 'dir');
fs.symlinkSync('ünicode', 'uni');
console.log(fs.statSync('hard').nlink, fs.readlinkSync('soft'), fs.readlinkSync('uni'), fs.readlinkSync('uni', 'buffer'), fs.readlinkSync('uni', 'hex'));
for (const name of ['soft', 'sub/up', 'dirlink', 'dirlink/up', '.', './sub/../hard', 'dirlink/../soft']) {
  attempt(name, () => path.relative(fs.realpathSync(dir), fs.realpathSync(name)));
  attempt(name, () => path.relative(fs.realpathSync(dir), fs.realpathSync.native(name)));
}
attempt('none', () => fs.realpathSync('sub/none/x'));
attempt('none', () => fs.realpathSync.native('sub/none/x'));
attempt('not a directory', () => fs.realpathSync('file/x'));
fs.symlinkSync('l2', 'l1');
fs.symlinkSync('l1', 'l2');
attempt('loop', () => fs.realpathSync('l1'));
attempt('number', () => fs.realpathSync(1));
attempt('root', () => fs.realpathSync('/'));
console.log(Buffer.isBuffer(fs.realpathSync('.', 'buffer')), fs.realpathSync('/', 'hex'), fs.realpathSync.native('/', { encoding: 'buffer' }));
fs.copyFileSync('file', 'copy');
console.log(fs.readFileSync('copy', 'utf8'));
attempt('exclusive', () => fs.copyFileSync('file', 'copy', fs.constants.COPYFILE_EXCL));
fs.renameSync('copy', 'sub/moved');
fs.chmodSync('file', 0o600);
console.log((fs.statSync('file').mode & 0o777).toString(8), fs.existsSync('copy'), fs.existsSync('sub/moved'), fs.existsSync(), fs.existsSync('\0'));
fs.chmodSync('file', '755');
console.log((fs.statSync('hard').mode & 0o777).toString(8));
fs.unlinkSync('soft');
const call = (name, ...args) => new Promise((resolve) => {
  const fn = name === 'native' ? fs.realpath.native : fs[name];
  fn(...args, (...result) => resolve(result.map((item) => (item instanceof Error ? plain(item.message) : plain(item)))));
});
(async () => {
  console.log(await call('symlink', 'file', 'soft'), await call('symlink', 'file', 'soft2', 'junction'), await call('readlink', 'soft'));
  console.log(await call('link', 'file', 'hard2'), await call('rename', 'hard2', 'hard3'), await call('unlink', 'hard3'));
  console.log((await call('realpath', 'dirlink/up'))[1] === plain(fs.realpathSync('file')), (await call('native', 'dirlink/up')).length);
  console.log(await call('realpath', 'sub/none/x'), await call('native', 'l1'), await call('realpath', 'l1'), await call('realpath', 'file/x'));
  console.log(await call('copyFile', 'file', 'copy'), await call('copyFile', 'file', 'copy', 1), await call('exists', 'copy'), await call('exists', 'none'));
  console.log(await call('access', 'file'), await call('access', 'none', fs.constants.F_OK), await call('chmod', 'file', 0o640), await call('utimes', 'file', 1, 2));
})();
