'use strict';
// createCipher() and createDecipher(), which are deprecated, and the list of curves.
const crypto = require('node:crypto');

const attempt = (name, call) => {
  try {
    console.log(name, call());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
for (const name of ['aes-128-cbc', 'aes192', 'aes-256-ecb', 'des-ede3-cbc', 'aes-256-cfb', 'chacha20', 'aes-256-ctr', 'bf-cbc']) {
  attempt(name, () => {
    const cipher = crypto.createCipher(name, 'password');
    const sealed = cipher.update('hello', 'utf8', 'hex') + cipher.final('hex');
    const decipher = crypto.createDecipher(name, Buffer.from('password'));
    return sealed + decipher.update(sealed, 'hex', 'utf8') + decipher.final('utf8');
  });
}
attempt('gcm', () => {
  const cipher = crypto.createCipher('aes-128-gcm', new Uint8Array(Buffer.from('pässword')).buffer);
  return cipher.update('a', 'utf8', 'hex') + cipher.final('hex') + cipher.getAuthTag().toString('hex');
});
attempt('ccm', () => crypto.createCipher('aes-128-ccm', 'pw'));
attempt('empty', () => crypto.createCipher('aes128', '').final('hex'));
for (const args of [[], ['x', 'a'], ['aes128'], ['aes128', 1], ['aes128', null], [1, 1], ['aes128', 'a', { authTagLength: 'x' }],
                    ['aes128', crypto.createSecretKey('abc')]]) {
  attempt('cipher', () => crypto.createCipher(...args));
  attempt('decipher', () => crypto.createDecipher(...args));
}
attempt('call', () => crypto.Cipher('aes128', 'a') instanceof crypto.Cipher && crypto.Decipher('aes128', 'a') instanceof crypto.Decipher);
attempt('wrong', () => crypto.createDecipher('aes128', 'a').update(Buffer.alloc(32)).length + crypto.createDecipher('aes128', 'b').final());
console.log(Object.keys(crypto).includes('createCipher'), crypto.getCurves().filter((name) => /^(?:prime256v1|secp)/.test(name)).join());
