'use strict';
// Signatures with fixed keys. Those of RSA with PKCS #1 and of Ed25519 are always the same.
const { readFileSync } = require('node:fs');
const crypto = require('node:crypto');
const { join } = require('node:path');
const { constants, createHash, createPrivateKey, createPublicKey, createSign, createVerify, sign, verify } = crypto;
const load = (name) => createPrivateKey(readFileSync(join(__dirname, '../fixtures', `${name}-key.pem`)));
const short = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 16);
const data = Buffer.from('a message');
const attempt = (name, run) => {
  try {
    console.log(name, run());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
const { RSA_PKCS1_PSS_PADDING, RSA_NO_PADDING } = constants;
for (const name of ['rsa', 'pss', 'dsa', 'ec', 'ed25519', 'ml-dsa']) {
  const key = load(name);
  const publicKey = createPublicKey(key);
  for (const digest of ['sha256', 'sha512', 'RSA-SHA1', null, 'none']) {
    for (const options of [{}, { padding: RSA_PKCS1_PSS_PADDING, saltLength: 20 }, { padding: RSA_NO_PADDING }, { dsaEncoding: 'ieee-p1363' }, { dsaEncoding: 'none' }, { context: Buffer.from('context') }, { saltLength: 1.5 }]) {
      const label = `${name} ${digest} ${JSON.stringify(options)}`;
      const shown = (signature) => (key.asymmetricKeyType === 'rsa' && options.padding === undefined ? short(signature) : options.dsaEncoding === 'ieee-p1363' || name !== 'ec' && name !== 'dsa' ? signature.length : 'ok');
      attempt(label, () => {
        const signature = sign(digest, data, { key, ...options });
        const changed = Buffer.from(signature);
        changed[changed.length - 1] ^= 1;
        return [shown(signature), verify(digest, data, { key: publicKey, ...options }, signature),
          verify(digest, data, { key: publicKey, ...options }, changed),
          verify(digest, Buffer.from('another'), { key: publicKey, ...options }, signature)].join(' ');
      });
      if (digest === null) continue;
      attempt(`${label} in parts`, () => {
        const signature = createSign(digest).update('a mess').update(Buffer.from('age')).sign({ key, ...options });
        return [shown(signature), createVerify(digest).update(data).verify({ key: publicKey, ...options }, signature)].join(' ');
      });
    }
  }
}
attempt('twice', () => {
  const signer = createSign('sha256').update('a');
  signer.sign(load('rsa'));
  signer.sign(load('rsa'));
});
attempt('without a key', () => createSign('sha256').sign());
attempt('public key', () => sign('sha256', data, createPublicKey(load('rsa'))));
const order = [];
sign('sha256', data, load('rsa'), (error, signature) => {
  console.log('callback', error, short(signature), order.join());
  verify('sha256', data, createPublicKey(load('rsa')), signature, (problem, isValid) => console.log(problem, isValid));
});
order.push('after');
