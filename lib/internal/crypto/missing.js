'use strict';

// Functions of Node's crypto that Rondo does not have yet: public and private keys, and what needs them. Each exists,
// so that programs load that do not call it, and throws an error that names it.

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
