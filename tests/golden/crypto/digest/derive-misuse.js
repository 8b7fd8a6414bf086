'use strict';
// Every wrong argument of pbkdf2, scrypt and hkdf gets Node's error, at once.
const crypto = require('node:crypto');

const nothing = () => {};
let count = 0;
function attempt(call) {
  try {
    console.log(++count, call());
  } catch (error) {
    console.log(count, error.name, error.code, error.message);
  }
}
const throwing = (key) => Object.defineProperty({}, key, { get() { throw new Error(`the getter of ${key}`); } });
for (const args of [
  [], ['a', 'b', 1, 1, nothing], ['a', 'b', 1, 1, 'sha1'], [1, 'b', 1, 1, 'sha1', nothing], ['a', 1, 1, 1, 'sha1', nothing],
  ['a', 'b', '1', 1, 'sha1', nothing], ['a', 'b', 1, '1', 'sha1', nothing], ['a', 'b', 1, -1, 'sha1', nothing],
  ['a', 'b', 1, 2 ** 31, 'sha1', nothing], ['a', 'b', 2 ** 31, 1, 'sha1', nothing], ['a', 'b', 1.5, 1, 'sha1', nothing],
  ['a', 'b', 0, 1, 'sha1', nothing], ['a', 'b', -1, 1, 'sha1', nothing], ['a', 'b', NaN, 1, 'sha1', nothing],
  ['a', 'b', 1, 1, 'x', nothing], ['a', 'b', 1, 1, null, nothing], ['a', 'b', 1, Infinity, 'sha1', nothing],
  ['a', 'b', 1, 1, 'sha1', 'f'], [null, 'b', 1, 1, 'sha1', nothing], ['a', {}, 1, 1, 'sha1', nothing],
]) {
  attempt(() => crypto.pbkdf2(...args));
  if (args.length === 6) attempt(() => crypto.pbkdf2Sync(...args.slice(0, 5)).length);
}
for (const args of [
  [], ['a', 'b', 1], ['a', 'b', '1', nothing], ['a', 'b', 1, {}, 'x'], [undefined, 'b', 2, nothing], ['a', undefined, 2, nothing],
  ['a', 'b', -1, nothing], ['a', 'b', 2 ** 31, nothing],
]) {
  attempt(() => crypto.scrypt(...args));
}
for (const options of [
  { N: 'a' }, { N: 2, cost: 2 }, { cost: -1 }, { r: 2, blockSize: 2 }, { p: 2, parallelization: 2 }, { maxmem: 'a' },
  { maxmem: -1 }, { N: 3 }, { N: 1 }, { r: 2 ** 30 }, { N: 2 ** 20 }, { p: 2 ** 30 }, { N: 2 ** 31, maxmem: 2 ** 40, r: 1 },
  { N: 1.5 }, { N: 2 ** 33 }, throwing('N'), throwing('blockSize'), throwing('maxmem'), { maxmem: 1.5 }, { maxmem: 10 },
]) {
  attempt(() => crypto.scryptSync('a', 'b', 3, options));
  attempt(() => crypto.scrypt('a', 'b', 3, options, nothing));
}
attempt(() => crypto.scryptSync('a', 'b', 2, { N: 0, r: 0, p: 0, maxmem: 0 }));
attempt(() => crypto.scryptSync('a', 'b', 2, null));
for (const args of [
  [], ['sha1'], ['sha1', 1], ['sha1', 'a'], ['sha1', 'a', 'b'], ['sha1', 'a', 'b', 'c'], ['sha1', 'a', 'b', 'c', 1],
  ['sha1', 'a', 'b', 'c', '1', nothing], ['sha1', 'a', 'b', 'c', -1, nothing], ['nope', 'a', 'b', 'c', 1, nothing],
  ['sha1', 'a', 'b', 'c', 5101, nothing], ['sha1', 'a', 'b', 'x'.repeat(1025), 1, nothing], ['sha1', 'a', null, 'c', 1, nothing],
  ['sha1', 'a', 'b', 'c', 1.5, nothing], ['sha1', 'a', 'b', 'c', 2 ** 32 - 1, nothing], [1, 'a', 'b', 'c', 1, nothing],
  ['sha1', 'a', 'b', {}, 1, nothing], ['sha1', 'a', 'b', 'é'.repeat(513), 1, nothing],
]) {
  attempt(() => crypto.hkdf(...args));
  attempt(() => crypto.hkdfSync(...args.slice(0, 5)));
}
