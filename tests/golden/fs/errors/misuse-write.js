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
for (const value of [undefined, null, 1, {}, [], true, 1n, new ArrayBuffer(2)]) {
  attempt('writeSync', () => fs.writeSync(fd, value));
  attempt('write', () => fs.write(fd, value, nothing));
  attempt('writeFileSync', () => fs.writeFileSync('/nowhere/file', value));
  attempt('writeFile', () => fs.writeFile('/nowhere/file', value, nothing));
  attempt('appendFileSync', () => fs.appendFileSync('/nowhere/file', value));
}
for (const value of [5, -1, 1.5, '0', 2 ** 40]) attempt(`offset ${value}`, () => fs.writeSync(fd, buffer, value));
for (const value of [5, -1, 1.5, 2 ** 33]) attempt(`length ${value}`, () => fs.writeSync(fd, buffer, 0, value));
attempt('options', () => fs.writeSync(fd, buffer, { offset: 5 }));
attempt('hex', () => fs.writeSync(fd, 'abc', null, 'hex'));
attempt('read only', () => fs.writeSync(fd, 'abc'));
attempt('options.flush', () => fs.writeFileSync('/nowhere/file', '', { flush: 1 }));
attempt('options.mode', () => fs.writeFileSync('/nowhere/file', '', { mode: 'x' }));
attempt('options.flag', () => fs.writeFileSync('/nowhere/file', '', { flag: 'q' }));
attempt('options.encoding', () => fs.writeFileSync('/nowhere/file', '', 'klingon'));
attempt('options', () => fs.writeFileSync('/nowhere/file', '', 5));
attempt('signal', () => fs.writeFile('/nowhere/file', '', { signal: {} }, nothing));
fs.write(fd, 'abc', (...args) => console.log(args.length, args[0].code, args[1], args[2]));
