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
const buffer = Buffer.alloc(4);
const fd = fs.openSync(__filename);
process.on('exit', () => fs.closeSync(fd));
attempt('no buffer', () => fs.readSync(fd));
for (const value of ['a', 1, null, {}, [], new ArrayBuffer(4)]) attempt('buffer', () => fs.readSync(fd, value));
for (const value of [5, -1, 1.5, '0', 2 ** 40, NaN]) attempt(`offset ${value}`, () => fs.readSync(fd, buffer, value, 1, 0));
for (const value of [5, -1, '1', 2 ** 33]) attempt(`length ${value}`, () => fs.readSync(fd, buffer, 0, value, 0));
for (const value of ['x', 1.5, -2, 2n ** 63n, -(2n ** 63n) - 1n, {}, true, 2 ** 53]) {
  attempt(`position ${value}`, () => fs.readSync(fd, buffer, 0, 1, value));
}
attempt('empty', () => fs.readSync(fd, Buffer.alloc(0), 0, 0, 0));
attempt('empty', () => fs.readSync(fd, Buffer.alloc(0), 0, 1, 0));
attempt('options', () => fs.readSync(fd, buffer, { offset: 9 }));
attempt('options', () => fs.readSync(fd, buffer, { length: 9 }));
attempt('options', () => fs.readSync(fd, buffer, { position: 'x' }));
attempt('options', () => fs.readSync(fd, buffer, 1));
attempt('options', () => fs.readSync(fd, buffer, 'x'));
attempt('getter', () => fs.readSync(fd, buffer, { get length() { throw new Error('mine'); } }));
attempt('async', () => fs.read(fd, buffer, 5, 1, 0, nothing));
attempt('async', () => fs.read(fd, buffer, 0, 5, 0, nothing));
attempt('async', () => fs.read(fd, buffer, 0, 1, 'x', nothing));
attempt('async', () => fs.read(fd, 'x', 0, 1, 0, nothing));
attempt('async', () => fs.read(fd, buffer, 1, nothing));
attempt('async', () => fs.read(fd, { buffer: 1 }, nothing));
for (const value of [undefined, 1, {}, ['x'], [1], 'x']) {
  attempt('readv', () => fs.readvSync(fd, value));
  attempt('writev', () => fs.writevSync(fd, value));
}
attempt('readv', () => fs.readvSync(fd, []));
attempt('writev', () => fs.writevSync(fd, []));
