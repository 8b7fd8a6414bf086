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

// API-01 for every function that takes a callback: it never runs before the call returns, and runs in a later turn.
fs.writeFileSync(at('file'), 'content');
const fd = fs.openSync(at('file'), 'r+');
process.on('exit', () => fs.closeSync(fd));
const calls = {
  access: [at('file')], stat: [at('file')], fstat: [fd], readFile: [at('file')], writeFile: [at('w'), 'x'], readdir: [dir],
  mkdir: [at('d')], realpath: [at('file')], open: [at('file')], read: [fd, Buffer.alloc(2), 0, 2, 0],
  write: [fd, 'x', 0], readv: [fd, [Buffer.alloc(1)], 0], writev: [fd, [Buffer.alloc(1)], 0], chmod: [at('file'), 0o644],
  copyFile: [at('file'), at('c')], symlink: ['x', at('s')], fsync: [fd], exists: [at('file')], unlink: [at('nowhere')],
  rename: [at('nowhere'), at('x')], lstat: [at('nowhere')], readlink: [at('nowhere')], mkdtemp: [at('t-')],
};
let pending = 0;
for (const name of Object.keys(calls)) {
  let hasReturned = false;
  let ticked = false;
  pending++;
  fs[name](...calls[name], (error, result) => {
    if (name === 'open') fs.closeSync(result);
    if (!hasReturned || !ticked) console.log(name, 'called back too early');
    if (--pending === 0) console.log('all came in time');
  });
  process.nextTick(() => { ticked = true; });
  hasReturned = true;
}
