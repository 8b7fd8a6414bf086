'use strict';
// Every wrong use of ciphers gets Node's error.
const crypto = require('node:crypto');

let count = 0;
function attempt(call) {
  try {
    const result = call();
    console.log(++count, typeof result === 'object' && !Buffer.isBuffer(result) ? typeof result : result);
  } catch (error) {
    console.log(++count, error.name, error.code, error.message.split('\n')[0], error.reason, error.library);
  }
}
const throwing = (key) => Object.defineProperty({}, key, { get() { throw new Error(`the getter of ${key}`); } });
const key = Buffer.alloc(16, 1);
const iv = Buffer.alloc(16, 2);
const nonce = Buffer.alloc(12, 3);
for (const create of [crypto.createCipheriv, crypto.createDecipheriv]) {
  for (const args of [
    [], ['x', key, iv], ['', key, iv], [1, key, iv], ['des-cbc', Buffer.alloc(8), Buffer.alloc(8)], ['aes-128-cbc'], ['aes-128-cbc', key],
    ['aes-128-cbc', key, null], ['aes-128-cbc', Buffer.alloc(5), iv], ['aes-128-cbc', '', iv], ['aes-128-cbc', key, Buffer.alloc(5)],
    ['aes-128-cbc', key, ''], ['aes-128-cbc', key, 1], ['aes-128-cbc', null, iv], ['aes-128-cbc', {}, iv], ['aes-128-ecb', key, iv],
    ['aes-128-ecb', key, ''], ['aes-128-gcm', key, Buffer.alloc(0)], ['aes-128-gcm', key, null], ['aes-128-gcm', key, Buffer.alloc(200)],
    ['aes-128-gcm', key, nonce, { authTagLength: 3 }], ['aes-128-gcm', key, nonce, { authTagLength: '3' }],
    ['aes-128-gcm', key, nonce, { authTagLength: -1 }], ['aes-128-gcm', key, nonce, { authTagLength: 17 }],
    ['aes-128-gcm', key, nonce, { authTagLength: 2 ** 31 }], ['aes-128-gcm', key, nonce, { authTagLength: 1.5 }],
    ['aes-128-gcm', key, nonce, throwing('authTagLength')], ['aes-128-cbc', 'k', iv, { encoding: 1 }],
    ['aes-128-ccm', key, nonce], ['aes-128-ccm', key, nonce, { authTagLength: 3 }], ['aes-128-ccm', key, iv, { authTagLength: 4 }],
    ['aes-128-ocb', key, nonce], ['aes-128-ocb', key, nonce, { authTagLength: 17 }], ['chacha20-poly1305', Buffer.alloc(32), iv],
    ['chacha20-poly1305', Buffer.alloc(32), nonce, { authTagLength: 17 }], ['aes-128-ctr', key, iv, 1],
  ]) {
    attempt(() => create(...args));
  }
}
const cbc = () => crypto.createCipheriv('aes-128-cbc', key, iv);
const decbc = () => crypto.createDecipheriv('aes-128-cbc', key, iv);
const gcm = () => crypto.createCipheriv('aes-128-gcm', key, nonce);
const degcm = (options) => crypto.createDecipheriv('aes-128-gcm', key, nonce, options);
const ccm = () => crypto.createCipheriv('aes-128-ccm', key, nonce, { authTagLength: 16 });
const deccm = () => crypto.createDecipheriv('aes-128-ccm', key, nonce, { authTagLength: 16 });
function after(cipher, ...steps) {
  attempt(() => {
    let result;
    for (const step of steps) result = step(cipher);
    return result;
  });
}
const final = (cipher) => cipher.final();
const tag = (length) => (cipher) => cipher.setAuthTag(Buffer.alloc(length));
const data = (value, ...more) => (cipher) => cipher.update(value, ...more);
after(gcm(), (c) => c.getAuthTag());
after(cbc(), final, (c) => c.getAuthTag());
after(cbc(), (c) => c.setAAD(key));
after(cbc(), final, final);
after(gcm(), final, final);
after(cbc(), final, data('a'));
after(cbc(), final, (c) => c.setAutoPadding());
after(gcm(), final, (c) => c.setAAD(key));
for (const value of [undefined, null, 1, {}, [], new ArrayBuffer(2), 1n]) after(cbc(), data(value));
after(cbc(), data('abc', 'hex'));
after(cbc(), data('aaaa', 'utf8', 'nope'));
after(cbc(), (c) => c.final('nope'));
after(cbc(), data('a', 'utf8', 'hex'), data('a', 'utf8', 'base64'));
after(cbc(), (c) => c.setAutoPadding(false), data('a'), final);
after(decbc(), data(Buffer.alloc(16)), final);
after(decbc(), data(Buffer.alloc(15)), final);
after(degcm(), data(Buffer.alloc(15)), final);
after(degcm(), final);
after(degcm(), tag(16), data(Buffer.alloc(15)), final);
after(degcm(), tag(16), data(''), (c) => { try { c.final(); } catch { return c.final(); } });
for (const length of [0, 3, 5, 17, 1000]) after(degcm(), tag(length));
after(degcm(), (c) => c.setAuthTag());
after(degcm(), (c) => c.setAuthTag(1));
after(degcm(), (c) => c.setAuthTag('abc'));
after(degcm(), (c) => typeof c.setAuthTag('00'.repeat(16), 'hex'));
after(degcm(), tag(16), tag(16));
after(degcm({ authTagLength: 16 }), tag(12));
after(decbc(), tag(16));
after(gcm(), (c) => c.setAAD());
after(gcm(), (c) => c.setAAD(1));
after(gcm(), (c) => c.setAAD(key, { plaintextLength: 'a' }));
after(gcm(), (c) => c.setAAD('x', { encoding: 1 }));
after(gcm(), data('a'), (c) => c.setAAD(key));
after(ccm(), (c) => c.setAAD(key));
after(ccm(), (c) => c.setAAD(key, { plaintextLength: 2 ** 24 }));
after(ccm(), data(Buffer.alloc(2 ** 24)));
after(deccm(), data('abc'), final);
after(deccm(), tag(16), data('abc'), final);
after(deccm(), tag(16), data('abc'), data('abc'));
for (const args of [
  [], [null], [{}], [1], [1.5], [2 ** 40], ['aes-128-cbc', 1], ['aes-128-cbc', null], ['aes-128-cbc', { keyLength: '1' }],
  ['aes-128-cbc', { ivLength: '1' }], ['aes-128-cbc', { keyLength: 5 }], ['aes-128-cbc', { ivLength: 5 }], ['aes-128-cbc', { keyLength: -5 }],
  ['aes-128-gcm', { ivLength: -1 }], ['aes-128-cbc', throwing('keyLength')],
]) {
  attempt(() => crypto.getCipherInfo(...args));
}
for (const args of [
  [], ['x'], ['hmac'], ['hmac', {}], ['hmac', { length: 7 }], ['aes', { length: 9 }], ['aes', { length: '1' }], ['hmac', { length: 2 ** 31 }],
  ['x', {}], ['aes', null], ['aes', throwing('length')],
]) {
  attempt(() => crypto.generateKeySync(...args));
  attempt(() => crypto.generateKey(...args));
}
