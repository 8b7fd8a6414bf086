'use strict';
// Diffie-Hellman in all forms, key encapsulation and RSA encryption.
const { readFileSync } = require('node:fs');
const crypto = require('node:crypto');
const { join } = require('node:path');
const attempt = (name, run) => {
  try {
    console.log(name, run());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
const load = (name) => crypto.createPrivateKey(readFileSync(join(__dirname, '../fixtures', `${name}-key.pem`)));
for (const name of ['modp1', 'modp2', 'modp5', 'modp14', 'modp15', 'modp16', 'modp17', 'modp18', 'MODP14', 'none', 1]) {
  attempt(name, () => {
    const group = crypto.getDiffieHellman(name);
    return [group.getPrime().length, group.getGenerator('hex'), group.verifyError].join(' ');
  });
}
attempt('agree', () => {
  const left = crypto.getDiffieHellman('modp5');
  const right = crypto.createDiffieHellman(left.getPrime(), left.getGenerator());
  left.generateKeys();
  right.generateKeys('hex');
  return left.computeSecret(right.getPublicKey('hex'), 'hex', 'hex') === right.computeSecret(left.getPublicKey(), null, 'hex');
});
attempt('fixed', () => {
  const dh = crypto.createDiffieHellman('ffffffffffffffc5', 'hex');
  dh.setPrivateKey('0123456789abcdef', 'hex');
  return [dh.generateKeys('hex'), dh.getPrivateKey('hex'), dh.computeSecret('05', 'hex', 'hex')].join(' ');
});
for (const peer of ['', '00', '01', '02', 'f'.repeat(600)]) attempt(`peer ${peer.slice(0, 4)}`, () => {
  const dh = crypto.getDiffieHellman('modp5');
  dh.setPrivateKey?.('05', 'hex');
  dh.generateKeys();
  return dh.computeSecret(peer, 'hex').length;
});
for (const prime of [-1, 0, 1, 1.5, {}, '', null]) attempt(`prime ${prime}`, () => crypto.createDiffieHellman(prime).verifyError);
for (const curve of ['prime256v1', 'secp256k1', 'secp521r1', 'none', 1]) attempt(curve, () => {
  const ecdh = crypto.createECDH(curve);
  ecdh.setPrivateKey('0123456789', 'hex');
  const point = ecdh.getPublicKey('hex', 'compressed');
  return [point, ecdh.getPublicKey('hex', 'hybrid').length, ecdh.computeSecret(point, 'hex', 'hex'), crypto.ECDH.convertKey(point, curve, 'hex', 'hex', 'uncompressed').length].join(' ');
});
attempt('no keys', () => crypto.createECDH('secp256k1').getPrivateKey());
attempt('bad point', () => {
  const ecdh = crypto.createECDH('secp256k1');
  ecdh.generateKeys();
  return ecdh.computeSecret(Buffer.alloc(33, 9));
});
attempt('bad number', () => crypto.createECDH('secp256k1').setPrivateKey(Buffer.alloc(32)));
attempt('form', () => crypto.createECDH('secp256k1').generateKeys('hex', 'none'));
for (const type of ['x25519', 'x448', 'ed25519']) attempt(type, () => {
  const [left, right] = [crypto.generateKeyPairSync(type), crypto.generateKeyPairSync(type)];
  const secret = crypto.diffieHellman({ privateKey: left.privateKey, publicKey: right.publicKey });
  return [secret.length, secret.equals(crypto.diffieHellman({ privateKey: right.privateKey, publicKey: left.publicKey }))].join(' ');
});
attempt('different', () => crypto.diffieHellman({ privateKey: load('ec'), publicKey: crypto.createPublicKey(load('rsa')) }));
for (const key of [load('rsa'), load('ec'), crypto.generateKeyPairSync('x25519').privateKey, crypto.generateKeyPairSync('ml-kem-768').privateKey, load('dsa')]) {
  attempt(key.asymmetricKeyType, () => {
    const { sharedKey, ciphertext } = crypto.encapsulate(crypto.createPublicKey(key));
    return [sharedKey.length, ciphertext.length, crypto.decapsulate(key, ciphertext).equals(sharedKey)].join(' ');
  });
}
attempt('wrong ciphertext', () => crypto.decapsulate(load('rsa'), Buffer.alloc(3)));
const rsa = load('rsa');
for (const options of [{}, { padding: 1 }, { padding: 3 }, { padding: 77 }, { oaepHash: 'sha256' }, { oaepHash: 'none' }, { oaepLabel: Buffer.from('l') }, { oaepLabel: 1 }]) {
  const data = Buffer.alloc(options.padding === 3 ? 256 : 10, 1);
  attempt(`public ${JSON.stringify(options)}`, () => {
    const encrypted = crypto.publicEncrypt({ key: crypto.createPublicKey(rsa), ...options }, data);
    return [encrypted.length, crypto.privateDecrypt({ key: rsa, ...options }, encrypted).equals(data)].join(' ');
  });
  attempt(`private ${JSON.stringify(options)}`, () => {
    const encrypted = crypto.privateEncrypt({ key: rsa, ...options }, data);
    return [encrypted.toString('hex', 0, 8), crypto.publicDecrypt({ key: rsa, ...options }, encrypted).equals(data)].join(' ');
  });
}
attempt('too long', () => crypto.publicEncrypt(rsa, Buffer.alloc(1000)));
attempt('wrong label', () => crypto.privateDecrypt({ key: rsa, oaepLabel: Buffer.from('m') }, crypto.publicEncrypt({ key: rsa, oaepLabel: Buffer.from('l') }, Buffer.from('a'))));
