'use strict';
// Unsupported functions throw when they are used.
const crypto = require('node:crypto');
for (const name of ['createSign', 'generateKeyPairSync', 'createPublicKey', 'createECDH', 'publicEncrypt', 'X509Certificate']) {
  try {
    console.log(name, typeof crypto[name](), 'no error');
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}
crypto.subtle.generateKey({ name: 'RSA-PSS' }, true, ['sign']).catch((error) => console.log(error.name, error.code, error.message));
