'use strict';
// Web Crypto: AES-OCB and ChaCha20-Poly1305, whose keys have only the newer formats.
const { subtle } = require('node:crypto').webcrypto;

const warnings = [];
process.on('warning', (warning) => warnings.push(`${warning.name}: ${warning.message}`));
process.on('exit', () => console.log(warnings.sort()));
const hex = (buffer) => Buffer.from(buffer).toString('hex');
const attempt = async (name, call) => {
  try {
    const result = await call();
    console.log(name, result instanceof ArrayBuffer ? hex(result) : result);
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
const all = ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];

async function main() {
  for (const [name, size] of [['AES-OCB', 16], ['aes-ocb', 32], ['ChaCha20-Poly1305', 32], ['chacha20-POLY1305', 32]]) {
    const key = await subtle.importKey('raw-secret', Buffer.alloc(size, 1), name, true, all);
    console.log(name, key);
    await attempt('raw', () => subtle.exportKey('raw', key));
    await attempt('raw-secret', () => subtle.exportKey('raw-secret', key));
    await attempt('jwk', () => subtle.exportKey('jwk', key));
    await attempt('import raw', () => subtle.importKey('raw', Buffer.alloc(size), name, true, all));
    await attempt('import jwk', async () => (await subtle.importKey('jwk', await subtle.exportKey('jwk', key), name, true, all)).algorithm);
    await attempt('import alg', async () => subtle.importKey('jwk', { ...await subtle.exportKey('jwk', key), alg: 'A128GCM' }, name, true, all));
    await attempt('import length', () => subtle.importKey('raw-secret', Buffer.alloc(size - 1), name, true, all));
    await attempt('import usage', () => subtle.importKey('raw-secret', Buffer.alloc(size), name, true, ['sign']));
    for (const options of [{}, { additionalData: Buffer.from('more') }, { tagLength: 64 }, { tagLength: 96 }, { tagLength: 32 }, { iv: Buffer.alloc(15) },
                           { iv: Buffer.alloc(16) }, { iv: Buffer.alloc(11) }, { iv: undefined }]) {
      const algorithm = { name, iv: Buffer.alloc(12, 2), ...options };
      await attempt('encrypt', async () => {
        const sealed = await subtle.encrypt(algorithm, key, Buffer.from('hello there'));
        return [hex(sealed), Buffer.from(await subtle.decrypt(algorithm, key, sealed)).toString()];
      });
    }
    await attempt('altered', () => subtle.decrypt({ name, iv: Buffer.alloc(12) }, key, Buffer.alloc(30)));
    await attempt('short', () => subtle.decrypt({ name, iv: Buffer.alloc(12) }, key, Buffer.alloc(3)));
    await attempt('generate', async () => {
      const made = await subtle.generateKey({ name, length: 128 }, true, ['decrypt', 'encrypt']);
      return [made.algorithm, made.usages, (await subtle.exportKey('raw-secret', made)).byteLength];
    });
    await attempt('generate nothing', () => subtle.generateKey({ name, length: 128 }, true, []));
    await attempt('derive', async () => {
      const base = await subtle.importKey('raw', Buffer.from('password'), 'PBKDF2', false, ['deriveKey']);
      const pbkdf2 = { name: 'PBKDF2', hash: 'SHA-256', salt: Buffer.alloc(8), iterations: 1 };
      return hex(await subtle.exportKey('raw-secret', await subtle.deriveKey(pbkdf2, base, { name, length: 256 }, true, ['encrypt'])));
    });
    await attempt('wrap', async () => {
      const wrapped = await subtle.wrapKey('raw-secret', key, key, { name, iv: Buffer.alloc(12) });
      const back = await subtle.unwrapKey('raw-secret', wrapped, key, { name, iv: Buffer.alloc(12) }, name, true, ['encrypt']);
      return [hex(wrapped), hex(await subtle.exportKey('raw-secret', back))];
    });
  }
}
main();
