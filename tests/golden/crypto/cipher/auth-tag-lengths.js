'use strict';
// Valid lengths for setAuthTag(): shorter ones than usual need authTagLength.
const { createDecipheriv } = require('node:crypto');

for (const [name, options] of [
  ['aes-128-gcm', undefined], ['aes-128-gcm', { authTagLength: 4 }], ['aes-128-gcm', { authTagLength: 16 }],
  ['aes-128-ocb', { authTagLength: 12 }], ['chacha20-poly1305', undefined], ['chacha20-poly1305', { authTagLength: 8 }],
  ['aes-128-ccm', { authTagLength: 8 }],
]) {
  const key = Buffer.alloc(name.startsWith('aes') ? 16 : 32);
  for (const length of [0, 3, 4, 8, 11, 12, 13, 15, 16, 17]) {
    try {
      createDecipheriv(name, key, Buffer.alloc(12), options).setAuthTag(Buffer.alloc(length));
      console.log(name, options, length, 'taken');
    } catch (error) {
      console.log(name, options, length, error.code, error.message);
    }
  }
}
