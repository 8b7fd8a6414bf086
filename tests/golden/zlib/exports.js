'use strict';
// The module's properties, constants and classes.
const zlib = require('node:zlib');

const added = /[zZ]ip(Entry|File|Buffer|Archive|Content)|zipFiles/; // Zip archives, which Node marks as experimental.
for (const name of Object.getOwnPropertyNames(zlib)) {
  if (added.test(name)) continue;
  const { enumerable, writable, configurable, value } = Object.getOwnPropertyDescriptor(zlib, name);
  const text = typeof value === 'function' ? `${value.name}(${value.length})` : typeof value === 'object' ? '' : value;
  console.log(name, enumerable, writable, configurable, text);
}
console.log(Object.entries(zlib.constants).map(([name, value]) => `${name}=${value}`).join('\n'));
console.log(zlib.codes, Object.isFrozen(zlib.codes), Object.getPrototypeOf(zlib.constants));
for (const name of ['Gzip', 'Inflate', 'BrotliCompress', 'ZstdCompress', 'ZstdDecompress']) {
  const chain = [];
  for (let C = zlib[name]; C !== Function.prototype && C !== null; C = Object.getPrototypeOf(C)) chain.push(C.name);
  console.log(chain.join(' < '), Object.getOwnPropertyNames(zlib[name].prototype).join());
}
const base = Object.getPrototypeOf(Object.getPrototypeOf(zlib.Gzip.prototype));
console.log(Object.getOwnPropertyNames(base).filter((name) => !name.startsWith('_')).join());
console.log(typeof require('zlib').createGzip()._handle, zlib.createGzip()._level, zlib.createGzip()._mode);
console.log(['brotli', 'zstd'].map((name) => process.versions[name]).join());
