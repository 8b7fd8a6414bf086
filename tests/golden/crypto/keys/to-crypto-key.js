'use strict';
// toCryptoKey() of secret keys, HMAC keys of any number of bits, and SHA-3 in Web Crypto.
const { KeyObject, createSecretKey, subtle } = require('node:crypto');

const warnings = [];
process.on('warning', (warning) => warnings.push(`${warning.name} ${warning.code} ${warning.message}`));
process.on('exit', () => console.log(warnings.sort()));
const attempt = async (name, call) => {
  try {
    console.log(name, await call());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
const hex = (buffer) => Buffer.from(buffer).toString('hex');

async function main() {
  const object = createSecretKey(Buffer.alloc(16, 7));
  const hmac = (options) => ({ name: 'HMAC', hash: 'SHA-256', ...options });
  await attempt('aes', () => object.toCryptoKey('AES-GCM', true, ['decrypt', 'encrypt', 'encrypt']));
  await attempt('aes string', () => object.toCryptoKey({ name: 'aes-ctr' }, false, ['encrypt']).algorithm);
  await attempt('hmac', () => object.toCryptoKey(hmac(), true, ['sign']));
  await attempt('pbkdf2', () => object.toCryptoKey('PBKDF2', false, ['deriveBits']).usages);
  await attempt('pbkdf2 extractable', () => object.toCryptoKey('PBKDF2', true, ['deriveBits']));
  await attempt('no usages', () => object.toCryptoKey('AES-GCM', true, []));
  await attempt('wrong usage', () => object.toCryptoKey('AES-GCM', true, ['sign']));
  await attempt('wrong algorithm', () => object.toCryptoKey('nope', true, ['sign']));
  await attempt('wrong size', () => createSecretKey(Buffer.alloc(5)).toCryptoKey('AES-GCM', true, ['encrypt']));
  await attempt('wrong this', () => KeyObject.prototype.toCryptoKey.call({}, 'AES-GCM', true, ['encrypt']));
  await attempt('wrong this', () => Object.getOwnPropertyDescriptor(KeyObject.prototype, 'type').get.call({}));
  for (const length of [1, 8, 9, 127, 128, 129, 0]) {
    await attempt(`import ${length}`, async () => {
      const key = await subtle.importKey('raw-secret', Buffer.alloc(16, 0xff), hmac({ length }), true, ['verify', 'sign']);
      return [key.algorithm, key.usages, hex(await subtle.exportKey('raw', key)), hex(await subtle.sign('HMAC', key, Buffer.from('x')))];
    });
  }
  for (const length of [1, 9, 128, 0, undefined]) {
    await attempt(`generate ${length}`, async () => {
      const key = await subtle.generateKey(hmac({ length }), true, ['sign']);
      const bytes = new Uint8Array(await subtle.exportKey('raw-secret', key));
      return [key.algorithm.length, bytes.length, length % 8 ? bytes.at(-1) & (0xff >> length % 8) : 0];
    });
  }
  for (const hash of ['SHA3-256', 'SHA3-384', 'sha3-512']) {
    const key = await subtle.importKey('raw', Buffer.alloc(16, 1), { name: 'HMAC', hash }, true, ['sign']);
    console.log(key.algorithm, hex(await subtle.sign('HMAC', key, Buffer.from('x'))), await subtle.exportKey('jwk', key));
    await attempt('generate', () => subtle.generateKey({ name: 'HMAC', hash }, false, ['sign']));
    await attempt('generate', () => subtle.generateKey({ name: 'HMAC', hash, length: 24 }, false, ['sign']));
  }
  for (const format of ['raw-public', 'raw-seed', 'pkcs8', 'spki', 'raw-secret']) {
    await attempt(format, () => subtle.exportKey(format, object.toCryptoKey('AES-GCM', true, ['encrypt'])));
    await attempt(format, () => subtle.importKey(format, Buffer.alloc(16), 'AES-GCM', true, ['encrypt']));
  }
  for (const jwk of [{}, { kty: 'RSA' }, { kty: 'oct' }]) {
    await attempt('jwk', () => subtle.importKey('jwk', jwk, 'AES-GCM', true, ['encrypt']));
  }
  const closed = await subtle.importKey('raw', Buffer.alloc(16), 'AES-GCM', false, ['encrypt']);
  await attempt('closed', () => subtle.exportKey('raw', closed));
  await attempt('closed', () => KeyObject.from(closed).symmetricKeySize);
}
main();
// A CryptoKey in place of a KeyObject, and a key whose own properties contradict what it is.
const disguised = createSecretKey(Buffer.alloc(16, 7));
Object.defineProperty(disguised, 'type', { value: 'public' });
const { createHmac } = require('node:crypto');
console.log(createHmac('sha1', disguised).digest('hex'), disguised.equals(createSecretKey(Buffer.alloc(16, 7))));
console.log(createHmac('sha1', createSecretKey(Buffer.alloc(16, 7)).toCryptoKey('AES-GCM', true, ['encrypt'])).digest('hex'));
