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
for (const name of ['readFileSync', 'readdirSync', 'readlinkSync', 'realpathSync', 'mkdtempSync']) {
  for (const value of ['klingon', { encoding: 'klingon' }, 1, true, Symbol('s'), 1n]) {
    attempt(name, () => fs[name]('/nowhere/x', value));
  }
}
for (const flag of ['x', 'rw', '', {}, 1.5, 2 ** 40, true, 'r++', 'R']) attempt('flags', () => fs.openSync('/nowhere/x', flag));
for (const mode of [{}, '9', 'abc', -1, 1.5, 2 ** 32, true, '']) {
  attempt('open mode', () => fs.openSync('/nowhere/x', 'r', mode));
  attempt('chmod', () => fs.chmodSync('/nowhere/x', mode));
  attempt('fchmod', () => fs.fchmodSync(1, mode));
  attempt('mkdir', () => fs.mkdirSync('/nowhere/x', mode));
  attempt('mkdir', () => fs.mkdirSync('/nowhere/x', { mode }));
}
for (const mode of [8, -1, 'x', {}, true, 100]) {
  attempt('access', () => fs.accessSync('/nowhere/x', mode));
  attempt('access', () => fs.access('/nowhere/x', mode, nothing));
  attempt('copyFile', () => fs.copyFileSync('/nowhere/x', '/nowhere/y', mode));
}
for (const value of [1, 'true', null, {}]) {
  attempt('mkdir recursive', () => fs.mkdirSync('/nowhere/x', { recursive: value }));
  attempt('readdir recursive', () => fs.readdirSync('/nowhere/x', { recursive: value }));
}
for (const id of [undefined, -2, 1.5, '1', 2 ** 32, NaN]) {
  attempt('uid', () => fs.chownSync('/nowhere/x', id, 1));
  attempt('gid', () => fs.lchownSync('/nowhere/x', 1, id));
  attempt('fchown', () => fs.fchownSync(1, 1, id));
}
for (const time of [undefined, null, 'x', {}, NaN, Infinity, true, '']) {
  attempt('utimes', () => fs.utimesSync('/nowhere/x', time, 1));
  attempt('lutimes', () => fs.lutimesSync('/nowhere/x', 1, time));
  attempt('futimes', () => fs.futimesSync(1, time, 1));
}
for (const length of ['x', 1.5, {}, null]) attempt('ftruncate', () => fs.ftruncateSync(1, length));
for (const type of ['x', 'DIR', '']) attempt('symlink', () => fs.symlinkSync('a', '/nowhere/x', type));
attempt('stat', () => fs.statSync('/', null));
attempt('getter', () => fs.readFileSync('/', { get encoding() { throw new Error('mine'); } }));
for (const value of [1, 'x', null]) attempt('openAsBlob', () => fs.openAsBlob('/', value));
attempt('openAsBlob', () => fs.openAsBlob(1));
attempt('openAsBlob', () => fs.openAsBlob('/', { type: 1 }));
