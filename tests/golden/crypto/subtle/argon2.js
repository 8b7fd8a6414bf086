'use strict';
// Web Crypto: keys from passwords with Argon2.
const { subtle } = require('node:crypto').webcrypto;

const warnings = [];
process.on('warning', (warning) => warnings.push(`${warning.name}: ${warning.message}`));
process.on('exit', () => console.log(warnings.sort()));
const attempt = async (name, call) => {
  try {
    const result = await call();
    console.log(name, result instanceof ArrayBuffer ? Buffer.from(result).toString('hex') : result);
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
const params = { nonce: Buffer.alloc(16, 2), parallelism: 4, memory: 32, passes: 3 };

async function main() {
  for (const name of ['Argon2d', 'argon2i', 'ARGON2ID']) {
    const key = await subtle.importKey('raw-secret', Buffer.alloc(32, 1), name, false, ['deriveKey', 'deriveBits']);
    console.log(key);
    const secrets = { secretValue: Buffer.alloc(8, 3), associatedData: Buffer.alloc(12, 4) };
    await attempt('bits', () => subtle.deriveBits({ name, ...params, ...secrets }, key, 256));
    await attempt('bits', () => subtle.deriveBits({ name, ...params, version: 0x13 }, key, 32));
    await attempt('key', async () => subtle.exportKey('raw', await subtle.deriveKey({ name, ...params }, key, { name: 'AES-GCM', length: 128 }, true, ['encrypt'])));
    for (const change of [
      { nonce: undefined }, { nonce: Buffer.alloc(7) }, { nonce: 'text' }, { parallelism: 0 }, { parallelism: undefined }, { parallelism: 2 ** 24 },
      { memory: 31 }, { memory: undefined }, { passes: 0 }, { passes: undefined }, { version: 16 },
    ]) await attempt(Object.keys(change), () => subtle.deriveBits({ name, ...params, ...change }, key, 256));
    for (const length of [null, undefined, 0, 24, 33]) await attempt(length, () => subtle.deriveBits({ name, ...params }, key, length));
    await attempt('export', () => subtle.exportKey('raw-secret', key));
    await attempt('raw', () => subtle.importKey('raw', Buffer.alloc(8), name, false, ['deriveBits']));
    await attempt('extractable', () => subtle.importKey('raw-secret', Buffer.alloc(8), name, true, ['deriveBits']));
    await attempt('usage', () => subtle.importKey('raw-secret', Buffer.alloc(8), name, false, ['sign']));
    await attempt('no usage', () => subtle.importKey('raw-secret', Buffer.alloc(8), name, false, []));
    await attempt('generate', () => subtle.generateKey(name, false, ['deriveBits']));
  }
}
main();
