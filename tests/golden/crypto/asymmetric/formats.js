'use strict';
// Fixed keys in all formats: what is exported, and that it can be read again.
const { readFileSync } = require('node:fs');
const { createHash, createPrivateKey, createPublicKey } = require('node:crypto');
const { join } = require('node:path');
const fixture = (name) => readFileSync(join(__dirname, '../fixtures', name));
const shown = (value) => {
  if (typeof value === 'string') return `${value.split('\n')[0]} ${createHash('sha256').update(value).digest('hex').slice(0, 16)}`;
  if (Buffer.isBuffer(value)) return `${value.length} bytes ${createHash('sha256').update(value).digest('hex').slice(0, 16)}`;
  return JSON.stringify(Object.entries(value).map(([key, text]) => [key, text.length]));
};
const attempt = (run) => {
  try {
    return run();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};
const options = [
  { format: 'pem', type: 'pkcs1' }, { format: 'der', type: 'pkcs1' }, { format: 'pem', type: 'pkcs8' },
  { format: 'der', type: 'pkcs8' }, { format: 'pem', type: 'sec1' }, { format: 'der', type: 'sec1' },
  { format: 'pem', type: 'spki' }, { format: 'der', type: 'spki' }, { format: 'jwk' }, { format: 'raw-public' },
  { format: 'raw-public', type: 'compressed' }, { format: 'raw-private' }, { format: 'raw-seed' },
  { format: 'pem' }, { format: 'none', type: 'spki' }, undefined,
];
for (const name of ['rsa', 'pss', 'dsa', 'ec', 'ed25519', 'ml-dsa']) {
  const privateKey = createPrivateKey(fixture(`${name}-key.pem`));
  const publicKey = createPublicKey(privateKey);
  console.log(name, privateKey.type, privateKey.asymmetricKeyType, privateKey.asymmetricKeyDetails, publicKey.type);
  for (const key of [privateKey, publicKey]) {
    for (const option of options) {
      const result = attempt(() => {
        const text = key.export(option);
        const read = key === privateKey ? createPrivateKey : createPublicKey;
        const { asymmetricKeyType, asymmetricKeyDetails: { namedCurve } } = key;
        const again = read({ key: text, ...option, type: option.format.startsWith('raw') ? undefined : option.type, asymmetricKeyType, namedCurve });
        return `${shown(text)} ${again.equals(key)}`;
      });
      console.log(`  ${key.type} ${JSON.stringify(option)}: ${result}`);
    }
  }
}
const encrypted = fixture('rsa-encrypted.pem');
for (const passphrase of ['sesame', Buffer.from('sesame'), 'wrong', '', undefined, 1, 'x'.repeat(2000)]) {
  console.log(attempt(() => createPrivateKey({ key: encrypted, passphrase }).asymmetricKeyType));
}
for (const cipher of ['aes-256-cbc', 'des-ede3-cbc', 'none', 1, undefined]) {
  for (const type of ['pkcs8', 'pkcs1']) {
    console.log(cipher, type, attempt(() => {
      const key = createPrivateKey(fixture('rsa-key.pem'));
      const pem = key.export({ format: 'pem', type, cipher, passphrase: 'p' });
      return `${pem.split('\n')[0]} ${createPrivateKey({ key: pem, passphrase: 'p' }).equals(key)}`;
    }));
  }
}
console.log(createPublicKey(fixture('leaf-cert.pem')).asymmetricKeyType);
