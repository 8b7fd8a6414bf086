'use strict';
// Digests: every common algorithm, all ways to give data and to take the result.
const crypto = require('node:crypto');

for (const name of ['md5', 'sha1', 'SHA256', 'sha-256', 'RSA-SHA256', 'sha384', 'sha512', 'sha512-256', 'sha3-256',
                    'ripemd160', 'blake2b512', 'blake2s256', 'shake128', 'shake256', 'sm3', 'SHA2-224']) {
  console.log(name, crypto.createHash(name).update('abc').digest('hex'));
}
const digest = (encoding) => crypto.createHash('sha1').update('héllo €').digest(encoding);
for (const encoding of ['hex', 'base64', 'base64url', 'latin1', 'binary', 'ascii', 'utf8', 'ucs2', 'HEX', 'buffer',
                        undefined, null, '', 'nope', 3]) {
  const result = digest(encoding);
  console.log(encoding, typeof result === 'string' ? JSON.stringify(result) : result);
}
const update = (...args) => crypto.createHash('md5').update(...args).digest('hex');
console.log(update('666f6f', 'hex'), update('foo'), update('Zm9v', 'base64'), update('foo', 'latin1'));
console.log(update('foo', 'ucs2'), update('foo', 'utf16le'), update('foo', 'nope'), update('\xe9', 'binary'));
console.log(update(Buffer.from('foo')), update(new Uint8Array([102, 111, 111])), update(new Uint16Array([102, 111])));
console.log(update(new DataView(Buffer.from('xfoox').buffer.slice(0, 0))), update(Buffer.from('xfoox').subarray(1, 4)));
console.log(update(''), update('a'.repeat(100000)), update('€'.repeat(100000)), update('\ud800'));

const parts = crypto.createHash('sha256');
for (const part of ['a', Buffer.from('b'), 'c']) parts.update(part);
const early = parts.copy();
console.log(early.digest('hex') === crypto.createHash('sha256').update('abc').digest('hex'));
console.log(parts.update('d').digest('hex') === crypto.createHash('sha256').update('abcd').digest('hex'));

console.log(crypto.createHash('shake128', { outputLength: 5 }).digest('hex'));
console.log(crypto.createHash('shake256', { outputLength: 300 }).update('x').digest('base64').length);
console.log(crypto.createHash('shake256', { outputLength: 5000 }).update('x').digest('hex').length);
console.log(crypto.createHash('shake256', { outputLength: 0 }).digest());
console.log(crypto.createHash('shake128').copy({ outputLength: 3 }).digest('hex'));
console.log(crypto.createHash('sha1', { outputLength: 20 }).digest('hex'));

console.log(crypto.hash('sha1', 'abc'), crypto.hash('md5', Buffer.from('abc'), 'base64'));
console.log(crypto.hash('sha256', 'abc', 'buffer'), crypto.hash('sha1', 'abc', 'latin1').length);

const names = crypto.getHashes();
console.log(['md5', 'sha1', 'sha256', 'sha512', 'RSA-SHA256', 'shake128', 'blake2b512'].map((name) => names.includes(name)));
console.log(names !== crypto.getHashes(), names.every((name) => crypto.createHash(name).update('').digest().length > 0));
console.log(crypto.Hash('sha1') instanceof crypto.Hash, crypto.createHash('sha1') instanceof require('stream').Transform);
