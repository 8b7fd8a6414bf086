'use strict';
// Message authentication codes, with keys of all kinds.
const crypto = require('node:crypto');

const code = (...args) => crypto.createHmac(...args).update('data').digest('hex');
for (const name of ['md5', 'sha1', 'sha256', 'SHA512', 'sha3-256', 'RSA-SHA1', 'ripemd160']) console.log(name, code(name, 'key'));
console.log(code('sha1', ''), code('sha1', Buffer.alloc(0)));
console.log(code('sha1', Buffer.from('key')) === code('sha1', 'key'));
console.log(code('sha1', new Uint8Array(Buffer.from('key')).buffer) === code('sha1', 'key'));
console.log(code('sha1', crypto.createSecretKey(Buffer.from('key'))) === code('sha1', 'key'));
console.log(code('sha1', '6b6579', { encoding: 'hex' }) === code('sha1', 'key'));
console.log(code('sha256', 'k'.repeat(1000)), code('sha256', 'ké€'));
const hmac = crypto.createHmac('sha256', 'key');
for (let i = 0; i < 10; i++) hmac.update(`part ${i}`).update(Buffer.from([i]));
console.log(hmac.digest('base64'));
console.log(crypto.createHmac('sha1', 'a').digest(), crypto.createHmac('sha1', 'a').digest('base64url'));
