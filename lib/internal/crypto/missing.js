'use strict';

// Functions of Node's crypto that Rondo does not implement yet: public and private keys, and functions that need them.
// Each exists, so that programs which never call it can be loaded, and throws an error with its name.

const { genericNodeError } = require('internal/errors');

const functions = [
  'createDiffieHellman', 'createDiffieHellmanGroup',
  'createECDH', 'createPrivateKey', 'createPublicKey', 'createSign', 'createVerify', 'diffieHellman', 'generateKeyPair',
  'generateKeyPairSync', 'getDiffieHellman', 'privateDecrypt', 'privateEncrypt',
  'publicDecrypt', 'publicEncrypt', 'sign', 'verify',
  'Certificate', 'DiffieHellman', 'DiffieHellmanGroup', 'ECDH', 'Sign', 'Verify',
  'X509Certificate',
];

const missing = { __proto__: null };
for (let i = 0; i < functions.length; i++) {
  const name = functions[i];
  const stub = {
    [name]: function() {
      throw genericNodeError(
        `Rondo does not have crypto.${name} yet`, { code: 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM' });
    },
  };
  missing[name] = stub[name];
}

module.exports = missing;
