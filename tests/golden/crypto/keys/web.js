'use strict';
// The global crypto: random values, UUIDs and digests.
const attempt = async (name, call) => {
  try {
    console.log(name, await call());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
async function main() {
  const module = require('node:crypto');
  console.log(crypto === module.webcrypto, crypto.subtle === module.subtle, crypto, crypto.subtle);
  const { get, set, enumerable, configurable } = Object.getOwnPropertyDescriptor(globalThis, 'crypto');
  console.log(get.name, set, enumerable, configurable);
  // Rondo has no public keys yet, and none of the methods that need them.
  const isPresent = (name) => name !== 'getPublicKey' && !/^(?:en|de)capsulate/.test(name);
  console.log(Object.getOwnPropertyNames(Crypto.prototype), Object.getOwnPropertyNames(SubtleCrypto.prototype).filter(isPresent).sort());
  const array = new Uint8Array(32);
  console.log(crypto.getRandomValues(array) === array, array.some(Boolean), module.getRandomValues(new BigInt64Array(2)).length);
  console.log(crypto.getRandomValues(new Uint8Array(65536)).length, /^[0-9a-f-]{36}$/.test(crypto.randomUUID()));
  for (const name of ['SHA-1', 'sha-256', { name: 'SHA-384' }, 'SHA-512', 'SHA3-256', 'sha3-512']) {
    await attempt('digest', async () => Buffer.from(await crypto.subtle.digest(name, Buffer.from('abc'))).toString('hex'));
  }
  await attempt('buffer', () => crypto.subtle.digest('SHA-1', new ArrayBuffer(3)));
  await attempt('view', () => crypto.subtle.digest('SHA-1', new DataView(new ArrayBuffer(3), 1)));
  const data = Buffer.from('abc');
  const promise = crypto.subtle.digest('SHA-1', data);
  data.fill(0);
  await attempt('copy', () => promise);

  for (const args of [[], ['SHA-1'], ['md5', data], ['SHA-1', 'x'], [3, data], [{}, data], [null, data], [undefined, data]]) {
    await attempt('digest', () => crypto.subtle.digest(...args));
  }
  for (const value of [1, null, 'x', new Float32Array(1), new Uint8Array(65537), new DataView(new ArrayBuffer(1)),
                       new ArrayBuffer(1)]) {
    await attempt('values', () => crypto.getRandomValues(value));
  }
  await attempt('values', () => crypto.getRandomValues());
  await attempt('this', () => (0, crypto.getRandomValues)(new Uint8Array(1)));
  await attempt('this', () => (0, crypto.randomUUID)());
  await attempt('this', () => Object.getOwnPropertyDescriptor(Crypto.prototype, 'subtle').get.call({}));
  await attempt('this', () => SubtleCrypto.prototype.digest.call({}, 'SHA-1', data));
  await attempt('this', () => module.getRandomValues.call(undefined, new Uint8Array(0)));
  for (const Class of [Crypto, SubtleCrypto, CryptoKey]) await attempt('new', () => new Class());
}
main();
