'use strict';
// createMac().
const crypto = require('node:crypto');
const key = Buffer.alloc(32, 1);
console.log(crypto.getMacs());
const cases = [
  ['hmac', key, { digest: 'sha256' }], ['HMAC', key], ['hmac', key, { digest: 'none' }], ['cmac', key, { cipher: 'aes-256-cbc' }],
  ['cmac', key], ['gmac', key, { cipher: 'aes-256-gcm', iv: Buffer.alloc(12) }], ['gmac', key, { cipher: 'aes-256-gcm' }],
  ['kmac128', key, { outputLength: 5 }], ['kmac256', key, { customization: Buffer.from('a') }], ['kmac256', key, { outputLength: 0 }],
  ['poly1305', key], ['poly1305', Buffer.alloc(3)], ['siphash', Buffer.alloc(16), { outputLength: 8 }], ['siphash', Buffer.alloc(16), { outputLength: 9 }],
  ['blake2bmac', key, { salt: Buffer.alloc(16), outputLength: 10 }], ['blake2smac', key, { outputLength: 33 }], ['none', key], ['', key],
  ['hmac', 'text'], ['hmac', crypto.createSecretKey(key), { digest: 'sha1' }], ['hmac', key, { digest: 'sha256', salt: key }], ['hmac', key, { outputLength: -1 }],
];
for (const [name, secret, options] of cases) {
  try {
    console.log(name, crypto.createMac(name, secret, options).update('a message').final('hex'));
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}
const mac = crypto.createMac('hmac', key, { digest: 'sha256' });
mac.on('data', (data) => console.log('stream', data.toString('hex')));
mac.on('end', () => {
  try {
    mac.update('more');
  } catch (error) {
    console.log(error.code);
  }
});
mac.end('a message');
