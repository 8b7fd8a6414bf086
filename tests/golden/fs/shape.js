'use strict';
const fs = require('node:fs');
console.log(Object.keys(fs).filter((key) => key !== 'promises').join(' '));
for (const key of Object.keys(fs)) {
  if (typeof fs[key] === 'function') console.log(key, fs[key].name, fs[key].length);
}
console.log(fs.constants);
for (const key of ['constants', 'promises', 'ReadStream', 'readFile', '_toUnixTimestamp']) {
  const { enumerable, writable, configurable, get, set } = Object.getOwnPropertyDescriptor(fs, key);
  console.log(key, enumerable, writable, configurable, typeof get, typeof set);
}
console.log(require('fs') === fs, fs.promises === require('fs/promises'), fs.realpath.native.length, fs.realpathSync.native.length);
console.log(fs._toUnixTimestamp(1), fs._toUnixTimestamp('2.5'), fs._toUnixTimestamp(new Date(1500)), fs._toUnixTimestamp(-1) > 1e9);
console.log(new fs.Dirent('a', 1, 'p'), new fs.Dirent('a', fs.constants.UV_DIRENT_DIR, 'p').isDirectory());
console.log(Object.isFrozen(fs.constants), Object.getPrototypeOf(fs.constants));
