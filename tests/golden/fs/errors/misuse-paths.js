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
const bad = [undefined, null, 1, true, {}, [], Symbol('s'), 'a\0b', Buffer.from('a\0b'), new URL('http://x/y'),
  new URL('file:///a%00b'), new URL('file://host/a'), new Uint16Array(2)];
const byPath = ['accessSync', 'chmodSync', 'copyFileSync', 'linkSync', 'lstatSync', 'mkdirSync', 'mkdtempSync', 'openSync',
  'readFileSync', 'readdirSync', 'readlinkSync', 'renameSync', 'rmdirSync', 'statSync', 'statfsSync', 'symlinkSync',
  'truncateSync', 'unlinkSync', 'writeFileSync', 'appendFileSync'];
for (const name of byPath) {
  for (const value of bad) {
    if (name === 'truncateSync' && value === 1) continue; // Deprecated, and works.
    if (typeof value === 'number' && /File/.test(name)) continue; // A descriptor.
    attempt(name, () => fs[name](value, 'other', 0));
  }
}
for (const name of ['copyFileSync', 'linkSync', 'renameSync', 'symlinkSync']) {
  for (const value of bad) attempt(`${name} 2`, () => fs[name]('nowhere', value));
}
