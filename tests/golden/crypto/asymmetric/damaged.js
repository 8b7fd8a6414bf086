'use strict';
// Damaged keys and certificates give errors. The damage depends on a fixed number, so that each run makes the same.
const { readFileSync } = require('node:fs');
const { createPrivateKey, createPublicKey, X509Certificate } = require('node:crypto');
const { join } = require('node:path');
const fixture = (name) => readFileSync(join(__dirname, '../fixtures', name));
let state = 12345;
const random = (below) => {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state >>> 8) % below;
};
const damage = (bytes) => {
  const result = Buffer.from(bytes);
  for (let i = random(4); i >= 0; i--) result[random(result.length)] = random(256);
  return random(4) === 0 ? result.subarray(0, random(result.length)) : result;
};
const inputs = [];
for (const name of ['rsa', 'pss', 'dsa', 'ec', 'ed25519', 'ml-dsa']) {
  const key = createPrivateKey(fixture(`${name}-key.pem`));
  inputs.push({ bytes: key.export({ format: 'der', type: 'pkcs8' }), type: 'pkcs8', read: createPrivateKey });
  inputs.push({ bytes: createPublicKey(key).export({ format: 'der', type: 'spki' }), type: 'spki', read: createPublicKey });
  inputs.push({ bytes: fixture(`${name}-key.pem`), read: createPrivateKey });
}
inputs.push({ bytes: fixture('rsa-encrypted.pem'), read: createPrivateKey });
inputs.push({ bytes: fixture('leaf-cert.pem'), read: createPublicKey });
const certificates = ['leaf-cert.pem', 'ca-cert.pem'].map((name) => new X509Certificate(fixture(name)).raw);
let errors = 0;
let runs = 0;
for (let round = 0; round < 60; round++) {
  for (const { bytes, type, read } of inputs) {
    runs++;
    try {
      const key = read({ key: damage(bytes), format: type === undefined ? 'pem' : 'der', type, passphrase: 'sesame' });
      key.export({ format: 'der', type: key.type === 'private' ? 'pkcs8' : 'spki' });
    } catch (error) {
      errors++;
      if (!(error instanceof Error)) console.log('unexpected', error);
    }
  }
  for (const bytes of certificates) {
    runs++;
    try {
      const certificate = new X509Certificate(damage(bytes));
      certificate.toLegacyObject();
      void [certificate.subject, certificate.subjectAltName, certificate.infoAccess, certificate.validToDate];
      certificate.checkHost('localhost');
      void certificate.publicKey;
    } catch (error) {
      errors++;
      if (!(error instanceof Error)) console.log('unexpected', error);
    }
  }
}
console.log(runs, errors > runs / 2, errors < runs);
const jwk = createPrivateKey(fixture('ec-key.pem')).export({ format: 'jwk' });
for (const change of [{ x: 'AA' }, { y: '' }, { d: 'AQ' }, { crv: 'P-384' }, { crv: 'none' }, { kty: 'RSA' }, { kty: 1 }, { x: 1 }, { d: null }, { d: '_'.repeat(100000) }, { x: '_'.repeat(100000) }]) {
  try {
    console.log(createPrivateKey({ key: { ...jwk, ...change }, format: 'jwk' }).type);
  } catch (error) {
    console.log(Object.keys(change)[0], error.name, error.code, error.message);
  }
}
