'use strict';
// Random bytes, numbers and UUIDs: sizes, places, and how they are spread.
const crypto = require('node:crypto');
const { promisify } = require('node:util');

async function main() {
  console.log(crypto.randomBytes(0).length, crypto.randomBytes(1).length, crypto.randomBytes(100000).length);
  console.log(crypto.randomBytes(16).equals(crypto.randomBytes(16)), crypto.randomBytes(3) instanceof Buffer);
  console.log(new Set(crypto.randomBytes(100000)).size);
  console.log((await promisify(crypto.randomBytes)(5)).length, (await promisify(crypto.randomBytes)(0)).length);
  let returned = false;
  await new Promise((resolve) => {
    crypto.randomBytes(3, (error, bytes) => resolve(console.log('bytes', returned, error, bytes.length)));
    returned = true;
  });
  const zero = (bytes) => bytes.every((byte) => byte === 0);
  const buffer = Buffer.alloc(300);
  console.log(crypto.randomFillSync(buffer, 100, 100) === buffer);
  console.log(zero(buffer.subarray(0, 100)), zero(buffer.subarray(100, 200)), zero(buffer.subarray(200)));
  const words = new Uint32Array(100);
  crypto.randomFillSync(words, 50);
  console.log(zero(words.subarray(0, 50)), zero(words.subarray(50)));
  crypto.randomFillSync(words.fill(0), 0, 10);
  console.log(zero(words.subarray(0, 10)), zero(words.subarray(10)));
  const view = new DataView(new ArrayBuffer(64), 32);
  crypto.randomFillSync(view);
  console.log(zero(new Uint8Array(view.buffer, 0, 32)), zero(new Uint8Array(view.buffer, 32)));
  const plain = new ArrayBuffer(40);
  console.log(crypto.randomFillSync(plain, 20) === plain, zero(new Uint8Array(plain, 0, 20)), zero(new Uint8Array(plain, 20)));
  const shared = new SharedArrayBuffer(40);
  console.log(crypto.randomFillSync(shared) === shared, zero(new Uint8Array(shared)));
  const filled = Buffer.alloc(60);
  console.log((await promisify(crypto.randomFill)(filled)) === filled, zero(filled));
  await promisify(crypto.randomFill)(filled.fill(0), 30);
  console.log(zero(filled.subarray(0, 30)), zero(filled.subarray(30)));
  await promisify(crypto.randomFill)(filled.fill(0), 10, 30);
  console.log(zero(filled.subarray(0, 10)), zero(filled.subarray(10, 40)), zero(filled.subarray(40)));
  const async = new Uint16Array(40);
  await promisify(crypto.randomFill)(async, 20, 10);
  console.log(zero(async.subarray(0, 20)), zero(async.subarray(20, 30)), zero(async.subarray(30)));

  const counts = new Array(10).fill(0);
  for (let i = 0; i < 20000; i++) counts[crypto.randomInt(10)]++;
  console.log(counts.every((count) => count > 1600 && count < 2400));
  const range = new Set(Array.from({ length: 500 }, () => crypto.randomInt(-3, 3)));
  console.log([...range].sort((a, b) => a - b));
  console.log(crypto.randomInt(5, 6), await promisify(crypto.randomInt)(-7, -6), await promisify(crypto.randomInt)(1));
  console.log(crypto.randomInt(2 ** 48 - 1) < 2 ** 48, crypto.randomInt(Number.MAX_SAFE_INTEGER - 5, Number.MAX_SAFE_INTEGER) > 2 ** 52);
  returned = false;
  await new Promise((resolve) => {
    crypto.randomInt(3, (error) => resolve(console.log('int', returned, error)));
    returned = true;
  });

  const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  const uuids = Array.from({ length: 1000 }, (_, i) => crypto.randomUUID(i % 2 ? undefined : { disableEntropyCache: i % 4 === 0 }));
  console.log(uuids.every((uuid) => pattern.test(uuid)), new Set(uuids).size);

  console.log(crypto.timingSafeEqual(Buffer.from('abc'), new Uint8Array([97, 98, 99])));
  console.log(crypto.timingSafeEqual(Buffer.from('abc'), Buffer.from('abd')));
  console.log(crypto.timingSafeEqual(new ArrayBuffer(0), Buffer.alloc(0)), crypto.timingSafeEqual(new Float64Array([1]), new Float64Array([1])));
  console.log(crypto.pseudoRandomBytes === crypto.randomBytes, Object.keys(crypto).includes('rng'));
}
main();
