'use strict';
// generateKeyPair() of all types, with callbacks, promises, encodings and wrong options.
const crypto = require('node:crypto');
const { promisify } = require('node:util');
const types = [
  ['rsa', { modulusLength: 1024 }], ['rsa-pss', { modulusLength: 1024, hashAlgorithm: 'sha256', saltLength: 8 }],
  ['dsa', { modulusLength: 1024, divisorLength: 160 }], ['ec', { namedCurve: 'P-256' }],
  ['ec', { namedCurve: 'secp256k1', paramEncoding: 'explicit' }], ['ed25519'], ['ed448'], ['x25519'], ['x448'],
  ['dh', { group: 'modp14' }], ['ml-dsa-44'], ['ml-kem-512'], ['slh-dsa-shake-128f'],
];
for (const [type, options] of types) {
  const { publicKey, privateKey } = crypto.generateKeyPairSync(type, options);
  console.log(publicKey.type, privateKey.type, publicKey.asymmetricKeyType, publicKey.asymmetricKeyDetails,
    crypto.createPublicKey(privateKey).equals(publicKey));
}
const wrong = [
  ['none', {}], [1, {}], ['rsa'], ['rsa', 1], ['rsa', { modulusLength: '1' }], ['rsa', { modulusLength: -1 }],
  ['rsa', { modulusLength: 8 }], ['rsa', { modulusLength: 1024, publicExponent: 4 }], ['ec', {}],
  ['ec', { namedCurve: 'none' }], ['ec', { namedCurve: 'P-256', paramEncoding: 'none' }], ['dsa', { modulusLength: 1024, divisorLength: '1' }],
  ['dh', {}], ['dh', { group: 'none' }], ['dh', { group: 'modp14', prime: Buffer.alloc(1) }], ['dh', { primeLength: 2 ** 40 }],
  ['rsa-pss', { modulusLength: 512, hashAlgorithm: 'none' }], ['rsa-pss', { modulusLength: 512, mgf1HashAlgorithm: 'none' }],
  ['rsa-pss', { modulusLength: 512, hash: 'sha256' }], ['rsa', { modulusLength: 512, publicKeyEncoding: 1 }],
  ['rsa', { modulusLength: 512, publicKeyEncoding: { format: 'pem', type: 'pkcs8' } }],
  ['rsa', { modulusLength: 512, privateKeyEncoding: { format: 'pem', type: 'pkcs8', cipher: 'none', passphrase: 'a' } }],
  ['rsa', { modulusLength: 512, privateKeyEncoding: { format: 'pem', type: 'pkcs8', passphrase: 'a' } }],
  ['ed25519', { publicKeyEncoding: { format: 'pem', type: 'pkcs1' } }],
  ['ec', { namedCurve: 'P-256', privateKeyEncoding: { format: 'der', type: 'sec1', cipher: 'aes-128-cbc', passphrase: 'a' } }],
];
for (const args of wrong) {
  try {
    crypto.generateKeyPairSync(...args);
    console.log('no error');
  } catch (error) {
    console.log(JSON.stringify(args), error.name, error.code, error.message);
  }
}
const encodings = {
  publicKeyEncoding: { format: 'pem', type: 'spki' },
  privateKeyEncoding: { format: 'pem', type: 'pkcs8', cipher: 'aes-128-cbc', passphrase: 'p' },
};
crypto.generateKeyPair('ed25519', encodings, (error, publicKey, privateKey) => {
  console.log(error, publicKey.split('\n')[0], privateKey.split('\n')[0]);
  promisify(crypto.generateKeyPair)('x25519').then(({ publicKey: key }) => {
    console.log(key.asymmetricKeyType);
    crypto.generateKeyPair('rsa', { modulusLength: 1 }, (problem, ...keys) => console.log(problem.code, keys.length));
  });
});
