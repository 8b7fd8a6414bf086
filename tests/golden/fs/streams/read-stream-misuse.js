'use strict';
// createReadStream() and createWriteStream(): wrong arguments.
const fs = require('fs');

process.chdir('/proc/self');  // No file can be created there.

function attempt(name, run) {
  try {
    run().on('error', (error) => console.log('later:', name, error.code, error.message));
    console.log(name, 'is fine');
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}

const none = () => {};
const bad = [
  [], [3], [null], ['a\0b'], ['f', 3], ['f', { start: -1 }], ['f', { start: 1.5 }], ['f', { start: 'x' }], ['f', { start: NaN }],
  ['f', { start: 2 ** 53 }], ['f', { encoding: 'bogus' }], ['f', 'bogus'], ['f', { fd: 'x' }], ['f', { fd: -1 }], ['f', { fd: 1.5 }],
  ['f', { fd: {} }], ['f', { highWaterMark: -1 }], ['f', { highWaterMark: 'x' }], ['f', { signal: 3 }], ['f', { fs: {} }],
  ['f', { fs: { open: 3 } }], ['f', { fs: { open: none } }],
];
for (const args of bad) {
  attempt(`read ${JSON.stringify(args)}`, () => fs.createReadStream(...args));
  attempt(`write ${JSON.stringify(args)}`, () => fs.createWriteStream(...args));
}
attempt('end -1', () => fs.createReadStream('f', { end: -1 }));
attempt('end x', () => fs.createReadStream('f', { end: 'x' }));
attempt('end before start', () => fs.createReadStream('f', { start: 5, end: 3 }));
attempt('no close', () => fs.createReadStream('f', { fs: { open: none, read: none } }));
attempt('write 3', () => fs.createWriteStream('f', { fs: { open: none, write: 3 } }));
attempt('writev 3', () => fs.createWriteStream('f', { fs: { open: none, writev: 3 } }));
attempt('no close', () => fs.createWriteStream('f', { fs: { open: none, write: none } }));
attempt('no fsync', () => fs.createWriteStream('f', { fs: { open: none, write: none, close: none }, flush: true }));
attempt('flush 3', () => fs.createWriteStream('f', { flush: 3 }));
attempt('getter', () => fs.createReadStream('f', { get start() { throw new Error('mine'); } }));
attempt('none', () => fs.createReadStream('no/such/file'));
attempt('none', () => fs.createWriteStream('no/such/file'));
