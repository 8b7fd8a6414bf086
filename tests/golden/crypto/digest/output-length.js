'use strict';
// The length of results of digests that can have any length, given to createHash(), copy() and hash().
const crypto = require('node:crypto');

process.on('warning', (warning) => console.log(warning.name, warning.code, warning.message));
const attempt = (...call) => {
  try {
    console.log(...call.slice(1), call[0]());
  } catch (error) {
    console.log(...call.slice(1), error.name, error.code, error.message);
  }
};
for (const name of ['shake128', 'SHAKE-256', 'sha1', 'keccak-256', 'nope']) {
  for (const outputLength of [undefined, 0, -0, 7, 16, 20, 32, 70]) {
    attempt(() => crypto.createHash(name, { outputLength }).update('x').digest('hex'), name, outputLength, 'createHash');
    attempt(() => crypto.hash(name, 'x', { outputLength }), name, outputLength, 'hash');
    attempt(() => crypto.createHash(name).copy({ outputLength }).digest('hex'), name, outputLength, 'copy');
  }
}
for (const options of [
  null, 5, 'hex', 'buffer', 'base64', 'nope', '', {}, [], { outputEncoding: 'buffer' }, { outputEncoding: 'BASE64', outputLength: 4 },
  { outputEncoding: 3 }, { outputEncoding: null }, { outputLength: null }, { outputLength: '5' }, { outputLength: -1 },
  { outputLength: 1.5 }, { outputLength: 2 ** 32 }, { outputLength: 100, outputEncoding: 'latin1' },
]) attempt(() => crypto.hash('shake128', Buffer.from('x'), options), options);
