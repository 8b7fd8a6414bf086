'use strict';
// SubtleCrypto.supports(): parameters that decide on the answer.
const { subtle } = globalThis.crypto;

const show = (operation, ...args) => {
  console.log(operation, JSON.stringify(args.map((arg) => (Buffer.isBuffer(arg?.iv) ? { ...arg, iv: arg.iv.length } : arg))),
    SubtleCrypto.supports(operation, ...args));
};

(async () => {
  for (const name of ['KMAC128', 'KMAC256']) {
    for (const operation of ['sign', 'verify', 'generateKey', 'importKey', 'exportKey', 'digest', 'encrypt']) {
      show(operation, name);
      show(operation, { name, outputLength: 256 });
      show(operation, { name, length: 0 });
    }
  }
  for (const name of ['AES-GCM', 'AES-OCB', 'ChaCha20-Poly1305']) {
    for (const tagLength of [undefined, 32, 64, 96, 100, 128, 256]) show('encrypt', { name, iv: Buffer.alloc(12), tagLength });
  }
  for (const change of [{}, { passes: 0 }, { version: 0x13 }, { version: 20 }, { memory: 7 }, { parallelism: 0 }, { parallelism: 2 },
    { parallelism: 2, memory: 16 }, { parallelism: 2 ** 24 }]) {
    show('deriveBits', { name: 'Argon2id', nonce: Buffer.alloc(8), parallelism: 1, memory: 8, passes: 1, ...change }, 32);
  }
  for (const length of [undefined, 0, 128, 248, 249, 255, 256, 257]) {
    show('encapsulateKey', 'ML-KEM-768', { name: 'HMAC', hash: 'SHA-256', length });
    show('encapsulateKey', 'ML-KEM-768', { name: 'KMAC128', length });
  }
  show('encrypt', { name: 'RSA-OAEP', label: null });
  show('encrypt', { name: 'RSA-OAEP', label: Buffer.alloc(1) });
  const pair = await subtle.generateKey('X25519', false, ['deriveBits']);
  const other = await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, false, ['deriveBits']);
  for (const key of [pair.publicKey, pair.privateKey, other.publicKey, undefined]) {
    show('deriveBits', { name: 'X25519', public: key }, 256);
    show('deriveBits', { name: 'ECDH', public: key }, 256);
  }
  // Keys of KMAC that are shorter than OpenSSL allows.
  for (const name of ['KMAC128', 'KMAC256']) {
    for (const length of [0, 1, 3, 4]) {
      const key = await subtle.importKey('raw-secret', Buffer.alloc(length, 7), { name }, true, ['sign', 'verify']);
      for (const [data, customization, outputLength] of [['', undefined, 256], ['data', Buffer.from('custom'), 1024], ['x'.repeat(300), undefined, 64]]) {
        const algorithm = { name, outputLength, customization };
        const code = await subtle.sign(algorithm, key, Buffer.from(data));
        console.log(name, length, Buffer.from(code).toString('hex'), await subtle.verify(algorithm, key, code, Buffer.from(data)));
      }
    }
  }
})();
