'use strict';
// Web Crypto with public and private keys of all algorithms.
process.removeAllListeners('warning');
process.on('warning', () => {});
const { readFileSync } = require('node:fs');
const { createPrivateKey, createPublicKey, KeyObject, subtle } = require('node:crypto');
const { join } = require('node:path');
const load = (name) => createPrivateKey(readFileSync(join(__dirname, '../fixtures', `${name}-key.pem`)));
const publicExponent = new Uint8Array([1, 0, 1]);
const attempt = async (name, run) => {
  try {
    console.log(name, await run());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
// Most members are shown as their length; that of RSA's private numbers depends on leading zeros.
const asTheyAre = new Set(['kty', 'crv', 'alg']);
const ofAnyLength = new Set(['d', 'dp', 'dq', 'qi']);
const member = (jwk, key) => {
  if (typeof jwk[key] !== 'string' || asTheyAre.has(key)) return jwk[key];
  return jwk.kty === 'RSA' && ofAnyLength.has(key) ? 'text' : jwk[key].length;
};
const shape = (value) => (value instanceof ArrayBuffer ? value.byteLength :
  Object.keys(value).map((key) => `${key}:${member(value, key)}`).join());
const data = Buffer.from('a message');
const cases = [
  [{ name: 'RSASSA-PKCS1-v1_5', modulusLength: 1024, publicExponent, hash: 'SHA-256' }, ['sign', 'verify'], { name: 'RSASSA-PKCS1-v1_5' }],
  [{ name: 'RSA-PSS', modulusLength: 1024, publicExponent, hash: 'SHA-1' }, ['sign', 'verify'], { name: 'rsa-pss', saltLength: 20 }],
  [{ name: 'RSA-OAEP', modulusLength: 1024, publicExponent, hash: 'SHA-1' }, ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey']],
  [{ name: 'ECDSA', namedCurve: 'P-256' }, ['sign', 'verify'], { name: 'ECDSA', hash: 'SHA-512' }],
  [{ name: 'ECDH', namedCurve: 'P-521' }, ['deriveBits', 'deriveKey']],
  ['Ed25519', ['sign', 'verify'], 'Ed25519'],
  ['ed448', ['sign', 'verify'], { name: 'Ed448', context: Buffer.from('c') }],
  ['X25519', ['deriveBits']], ['X448', ['deriveKey']],
  ['ML-DSA-44', ['sign', 'verify'], { name: 'ML-DSA-44', context: Buffer.from('c') }],
  ['ML-KEM-768', ['encapsulateBits', 'decapsulateBits', 'encapsulateKey', 'decapsulateKey']],
];
(async () => {
  for (const [algorithm, usages, signing] of cases) {
    const { publicKey, privateKey } = await subtle.generateKey(algorithm, true, usages);
    const { name } = publicKey.algorithm;
    console.log(publicKey, privateKey);
    for (const format of ['spki', 'pkcs8', 'jwk', 'raw', 'raw-public', 'raw-seed', 'raw-secret', 'none']) {
      for (const key of [publicKey, privateKey]) {
        await attempt(`${name} ${key.type} ${format}`, async () => {
          const exported = await subtle.exportKey(format, key);
          const imported = await subtle.importKey(format, exported, { ...key.algorithm }, true, key.usages);
          return `${shape(exported)} ${KeyObject.from(imported).equals(KeyObject.from(key))}`.replace(/^(63[0-9]|31[0-9])/, 'about');
        });
      }
    }
    if (signing !== undefined) {
      await attempt(`${name} sign`, async () => {
        const signature = await subtle.sign(signing, privateKey, data);
        return [signature.byteLength, await subtle.verify(signing, publicKey, signature, data), await subtle.verify(signing, publicKey, signature, Buffer.from('x')), await subtle.verify(signing, publicKey, Buffer.alloc(5), data)].join();
      });
      await attempt(`${name} sign with the public key`, () => subtle.sign(signing, publicKey, data));
    }
    await attempt(`${name} getPublicKey`, async () => (await subtle.getPublicKey(privateKey, publicKey.usages)).type);
    await attempt(`${name} usages`, () => subtle.generateKey(algorithm, true, ['decrypt', 'sign']));
    await attempt(`${name} no usages`, () => subtle.generateKey(algorithm, true, []));
  }
  const oaep = await subtle.importKey('pkcs8', load('rsa').export({ format: 'der', type: 'pkcs8' }), { name: 'RSA-OAEP', hash: 'SHA-256' }, true, ['decrypt', 'unwrapKey']);
  const encrypting = createPublicKey(load('rsa')).toCryptoKey({ name: 'RSA-OAEP', hash: 'SHA-256' }, true, ['encrypt', 'wrapKey']);
  await attempt('encrypt', async () => Buffer.from(await subtle.decrypt({ name: 'RSA-OAEP' }, oaep, await subtle.encrypt({ name: 'RSA-OAEP' }, encrypting, data))).toString());
  await attempt('label', async () => subtle.decrypt({ name: 'RSA-OAEP', label: data }, oaep, await subtle.encrypt({ name: 'RSA-OAEP' }, encrypting, data)));
  await attempt('wrong key', () => subtle.encrypt({ name: 'RSA-OAEP' }, oaep, data));
  await attempt('wrap', async () => {
    const aes = await subtle.importKey('raw', Buffer.alloc(16), 'AES-GCM', true, ['encrypt']);
    const wrapped = await subtle.wrapKey('raw', aes, encrypting, { name: 'RSA-OAEP' });
    return (await subtle.unwrapKey('raw', wrapped, oaep, { name: 'RSA-OAEP' }, 'AES-GCM', true, ['encrypt'])).algorithm;
  });
  for (const name of ['X25519', 'ECDH']) {
    const algorithm = { name, namedCurve: 'P-256' };
    const [left, right] = [await subtle.generateKey(algorithm, false, ['deriveBits', 'deriveKey']), await subtle.generateKey(algorithm, false, ['deriveBits', 'deriveKey'])];
    for (const length of [null, 256, 128, 9, 0, 1000]) {
      await attempt(`${name} ${length}`, async () => {
        const [a, b] = [await subtle.deriveBits({ name, public: right.publicKey }, left.privateKey, length), await subtle.deriveBits({ name, public: left.publicKey }, right.privateKey, length)];
        return [a.byteLength, Buffer.from(a).equals(Buffer.from(b))].join();
      });
    }
    await attempt(`${name} key`, async () => (await subtle.deriveKey({ name, public: right.publicKey }, left.privateKey, { name: 'AES-GCM', length: 128 }, true, ['encrypt'])).algorithm);
    await attempt(`${name} private`, () => subtle.deriveBits({ name, public: right.privateKey }, left.privateKey, 8));
    await attempt(`${name} none`, () => subtle.deriveBits({ name }, left.privateKey, 8));
    await attempt(`${name} export`, () => subtle.exportKey('pkcs8', left.privateKey));
  }
  const kem = await subtle.generateKey('ML-KEM-512', true, ['encapsulateBits', 'decapsulateBits', 'encapsulateKey', 'decapsulateKey']);
  await attempt('encapsulateBits', async () => {
    const { sharedKey, ciphertext } = await subtle.encapsulateBits('ML-KEM-512', kem.publicKey);
    return [sharedKey.byteLength, ciphertext.byteLength, Buffer.from(await subtle.decapsulateBits('ML-KEM-512', kem.privateKey, ciphertext)).equals(Buffer.from(sharedKey))].join();
  });
  await attempt('encapsulateKey', async () => {
    const { sharedKey, ciphertext } = await subtle.encapsulateKey('ML-KEM-512', kem.publicKey, 'AES-GCM', true, ['encrypt']);
    const other = await subtle.decapsulateKey('ML-KEM-512', kem.privateKey, ciphertext, 'AES-GCM', true, ['encrypt']);
    return KeyObject.from(sharedKey).equals(KeyObject.from(other));
  });
  await attempt('encapsulate wrong', () => subtle.encapsulateBits('ML-KEM-768', kem.publicKey));
  const ed = load('ed25519').export({ format: 'jwk' });
  for (const change of [{}, { x: 'AA' }, { crv: 'X25519' }, { kty: 'EC' }, { alg: 'EdDSA' }, { alg: 'none' }, { use: 'enc' }, { key_ops: ['verify'] }, { key_ops: ['sign', 'sign'] }, { ext: false }, { d: 1 }]) {
    await attempt(JSON.stringify(change), async () => (await subtle.importKey('jwk', { ...ed, ...change }, 'Ed25519', true, ['sign'])).type);
  }
  for (const [algorithm, usages] of [['Ed25519', ['sign']], ['X25519', ['deriveBits']], ['none', []], [{ name: 'ECDSA', namedCurve: 'P-256' }, ['sign']], ['Ed25519', ['verify']], ['Ed25519', []], ['AES-GCM', ['encrypt']]]) {
    await attempt(JSON.stringify(algorithm), () => load('ed25519').toCryptoKey(algorithm, true, usages).usages);
  }
  for (const params of [{}, { hash: 'SHA-256' }, { hash: 'none', modulusLength: 1024, publicExponent }, { hash: 'SHA-256', modulusLength: 1024 }, { hash: 'SHA-256', modulusLength: 1024, publicExponent: [1] }, { hash: 'SHA-256', modulusLength: 1024, publicExponent: new Uint8Array(9).fill(1) }, { hash: 'SHA-256', modulusLength: 10, publicExponent }]) {
    await attempt(`rsa ${JSON.stringify(params)}`, () => subtle.generateKey({ name: 'RSA-PSS', ...params }, true, ['sign']));
  }
  await attempt('curve', () => subtle.generateKey({ name: 'ECDSA', namedCurve: 'none' }, true, ['sign']));
  await attempt('curve', () => subtle.generateKey({ name: 'ECDSA' }, true, ['sign']));
  for (const [operation, ...args] of [['sign', 'Ed25519'], ['sign', 'AES-GCM'], ['generateKey', { name: 'ECDSA', namedCurve: 'P-256' }], ['generateKey', { name: 'ECDSA', namedCurve: 'x' }], ['encapsulateBits', 'ML-KEM-768'], ['digest', 'SHA-256'], ['digest', 'none'], ['none', 'SHA-256'], ['deriveKey', { name: 'X25519', public: (await subtle.generateKey('X25519', true, ['deriveKey'])).publicKey }, 'HKDF'], ['getPublicKey', 'Ed25519'], ['getPublicKey', 'AES-GCM'], ['exportKey', 'HKDF']]) {
    console.log(operation, SubtleCrypto.supports(operation, ...args));
  }
})();
