'use strict';
// The digests cSHAKE, TurboSHAKE and KangarooTwelve of Web Crypto.
const { subtle } = globalThis.crypto;
process.on('warning', (warning) => console.log('warning', warning.message));

const pattern = (length) => Uint8Array.from({ length }, (_, i) => i % 251);
const hex = (bytes) => Buffer.from(bytes).toString('hex');

function describe(algorithm) {
  if (typeof algorithm === 'string') return algorithm;
  return Object.entries(algorithm).map(([key, value]) => `${key}: ${value instanceof Uint8Array ? value.length : value}`).join(', ');
}

async function attempt(algorithm, data) {
  try {
    console.log(describe(algorithm), data.length, hex(await subtle.digest(algorithm, data)));
  } catch (error) {
    console.log(describe(algorithm), error.name, error.code, error.message);
  }
}

(async () => {
  for (const strength of [128, 256]) {
    for (const length of [0, 1, 17, 135, 136, 137, 167, 168, 169, 4913, 8191, 8192, 8193, 83521]) {
      const data = pattern(length);
      await attempt({ name: `cSHAKE${strength}`, outputLength: 512 }, data);
      await attempt({ name: `cSHAKE${strength}`, outputLength: 256, customization: Buffer.from('Email Signature') }, data);
      await attempt({ name: `TurboSHAKE${strength}`, outputLength: 512 }, data);
      await attempt({ name: `KT${strength}`, outputLength: 512 }, data);
    }
    for (const length of [1, 41, 512]) {
      await attempt({ name: `KT${strength}`, outputLength: 256, customization: pattern(length) }, pattern(8150));
      await attempt({ name: `cSHAKE${strength}`, outputLength: 256, functionName: Buffer.from('KMAC'), customization: pattern(length) },
        pattern(4));
    }
    for (const outputLength of [0, 1, 7, 8, 12, 4096, -1, 2 ** 32, 1.5, NaN, 'x', undefined, null]) {
      await attempt({ name: `cSHAKE${strength}`, outputLength }, pattern(3));
      await attempt({ name: `TurboSHAKE${strength}`, outputLength }, pattern(3));
      await attempt({ name: `KT${strength}`, outputLength }, pattern(3));
    }
    for (const domainSeparation of [0, 1, 6, 0x1f, 0x7f, 0x80, 256, -1, 'x', undefined]) {
      await attempt({ name: `TurboSHAKE${strength}`, outputLength: 64, domainSeparation }, pattern(3));
    }
    await attempt({ name: `cSHAKE${strength}`, outputLength: 12, customization: pattern(3) }, pattern(3));
    await attempt({ name: `cSHAKE${strength}`, outputLength: 64, functionName: Buffer.from('Other') }, pattern(3));
    await attempt({ name: `cSHAKE${strength}`, outputLength: 64, customization: pattern(513) }, pattern(3));
    await attempt({ name: `KT${strength}`, outputLength: 64, customization: pattern(513) }, pattern(3));
    await attempt({ name: `cSHAKE${strength}`, outputLength: 64, customization: 1 }, pattern(3));
    await attempt(`cSHAKE${strength}`, pattern(3));
    await attempt({ name: `kt${strength}`.toUpperCase(), outputLength: 64 }, pattern(3));
    await attempt({ name: `turboshake${strength}`, outputLength: 64 }, pattern(3));
    for (const algorithm of [`cSHAKE${strength}`, { name: `cSHAKE${strength}`, outputLength: 8 }, { name: `KT${strength}`, outputLength: 9 },
      { name: `cSHAKE${strength}`, outputLength: 8, functionName: Buffer.from('x') }, { name: `TurboSHAKE${strength}`, outputLength: 8 }]) {
      console.log(SubtleCrypto.supports('digest', algorithm));
    }
    try {
      await subtle.generateKey({ name: 'HMAC', hash: `cSHAKE${strength}` }, true, ['sign']);
    } catch (error) {
      console.log(error.name, error.message);
    }
  }
})();
