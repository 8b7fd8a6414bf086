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
fs.writeFileSync(at('file'), 'text');
fs.mkdirSync(at('full'));
fs.writeFileSync(at('full/file'), '');
fs.symlinkSync('loop', at('loop'));
fs.symlinkSync('nowhere', at('dangling'));
const calls = {
  access: ['none', 0], chmod: ['none', 0o644], chown: ['none', 1, 1], copyFile: ['none', 'b'], lchown: ['none', 1, 1],
  link: ['none', 'b'], lstat: ['none'], mkdir: ['file'], open: ['none', 'r'], readFile: ['none'], readdir: ['file'],
  readlink: ['file'], realpath: ['none/x'], rename: ['none', 'b'], rmdir: ['full'], stat: ['file/x'], statfs: ['none'],
  symlink: ['x', 'file'], truncate: ['none', 0], unlink: ['full'], utimes: ['none', 1, 1], lutimes: ['none', 1, 1],
  writeFile: ['none/x', 'b'], appendFile: ['full', 'b'],
};
const twoPaths = new Set(['copyFile', 'link', 'rename', 'symlink']);
function show(name, how, error) {
  console.log(how, name, plain(error.message), error.errno, error.code, error.syscall, error.path && plain(error.path),
    error.dest && plain(error.dest), Object.keys(error).join());
}
function argumentsOf(name) {
  const args = [...calls[name]];
  args[0] = name === 'symlink' ? args[0] : at(args[0]);
  if (twoPaths.has(name)) args[1] = at(args[1]);
  return args;
}
for (const name of Object.keys(calls)) {
  try {
    fs[`${name}Sync`](...argumentsOf(name));
    console.log(name, 'did not throw');
  } catch (error) {
    show(name, 'sync', error);
  }
}
(async () => {
  for (const name of Object.keys(calls)) {
    await new Promise((resolve) => {
      fs[name](...argumentsOf(name), (...args) => {
        if (name === 'unlink' && args[0] === null) console.log('unlink of a directory');
        else show(name, `async ${args.length}`, args[0]);
        resolve();
      });
    });
  }
  for (const name of ['loop', 'dangling']) {
    for (const fn of ['readFileSync', 'statSync', 'realpathSync', 'lstatSync', 'openSync']) {
      attempt(`${fn} ${name}`, () => typeof fs[fn](at(name)));
    }
  }
  attempt('read a directory', () => fs.readFileSync(dir));
  fs.readFile(dir, (error) => console.log(plain(error.message), error.errno, error.code, error.syscall, plain(error.path)));
  attempt('a name too long', () => fs.statSync(at('n'.repeat(300))));
  attempt('rmdir of a file', () => fs.rmdirSync(at('file')));
  attempt('no entry', () => fs.statSync(at('none'), { throwIfNoEntry: false }));
  attempt('no entry', () => fs.lstatSync(at('file/x'), { throwIfNoEntry: false }));
  attempt('no entry', () => fs.statSync(at('loop'), { throwIfNoEntry: false }));
})();
