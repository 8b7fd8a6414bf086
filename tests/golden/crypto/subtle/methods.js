'use strict';
// The methods of SubtleCrypto are plain functions that reject; detached memory is empty, and too much of it has a class of
// its own.
const { subtle } = crypto;
const fail = (error) => console.log(error.constructor.name, error.name, error.code, error.message);
const detached = () => {
  const bytes = new Uint8Array(32);
  bytes.buffer.transfer();
  return bytes;
};

(async () => {
  for (const name of ['digest', 'encrypt', 'decrypt', 'sign', 'verify', 'generateKey', 'deriveBits', 'importKey', 'exportKey']) {
    const method = subtle[name];
    console.log(method.name, method.length, method.constructor.name, Object.hasOwn(SubtleCrypto.prototype, name));
    const promise = method.call({});
    console.log(Object.getPrototypeOf(promise) === Promise.prototype);
    await promise.catch(fail);
    await subtle[name]().catch(fail);
  }
  const key = await subtle.importKey('raw', new Uint8Array(32), 'AES-GCM', false, ['encrypt', 'decrypt']);
  const algorithm = { name: 'AES-GCM', iv: new Uint8Array(12) };
  await subtle.decrypt(algorithm, key, detached()).catch(fail);
  console.log((await subtle.encrypt(algorithm, key, detached().buffer)).byteLength);
  console.log(Buffer.from(await subtle.digest('SHA-256', detached())).toString('hex'));
  try {
    crypto.getRandomValues(new Uint8Array(65537));
  } catch (error) {
    fail(error);
    console.log(error instanceof QuotaExceededError, error.quota, error.requested);
  }
})();
