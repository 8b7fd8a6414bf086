'use strict';
const fs = require('node:fs');
function attempt(name, fn) {
  try {
    console.log(name, '->', fn());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}
const nothing = () => {};
const values = [undefined, null, 1, 'text', {}];
const calls = {
  access: ['a'], chmod: ['a', 0o644], chown: ['a', 1, 1], copyFile: ['a', 'b'], exists: ['a'], fchmod: [1, 0o644],
  fchown: [1, 1, 1], fdatasync: [1], fsync: [1], fstat: [1], ftruncate: [1, 0], futimes: [1, 1, 1], lchown: ['a', 1, 1],
  link: ['a', 'b'], lstat: ['a'], lutimes: ['a', 1, 1], mkdir: ['a', {}], mkdtemp: ['a', {}], open: ['a', 'r', 0o666],
  readFile: ['a', {}], readdir: ['a', {}], readlink: ['a', {}], realpath: ['a', {}], rename: ['a', 'b'], rmdir: ['a', {}],
  stat: ['a'], statfs: ['a'], symlink: ['a', 'b'], truncate: ['a', 0], unlink: ['a'], utimes: ['a', 1, 1],
  writeFile: ['a', 'b', {}], appendFile: ['a', 'b', {}], readv: [1, [Buffer.alloc(1)], 0], writev: [1, [Buffer.alloc(1)], 0],
};
for (const name of Object.keys(calls)) {
  for (const value of values) {
    if (name === 'symlink' && value === undefined) continue;
    attempt(name, () => fs[name](...calls[name], value));
  }
}
attempt('close', () => fs.close(1, null));
attempt('close', () => fs.close(1, 'x'));
attempt('read', () => fs.read(1, Buffer.alloc(1), 0, 1, 0));
attempt('read', () => fs.read(1));
attempt('read', () => fs.read(1, {}));
attempt('write', () => fs.write(1, Buffer.alloc(1), 0, 1, 0));
attempt('write', () => fs.write(1, 'x'));
attempt('realpath.native', () => fs.realpath.native('a'));
