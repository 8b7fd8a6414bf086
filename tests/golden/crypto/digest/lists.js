'use strict';
// The lists of digests and curves, old names of digests, and UUIDs with a time in them.
const crypto = require('node:crypto');

console.log(crypto.getHashes().join());
console.log(crypto.getCurves().join());
for (const name of ['dss1', 'DSS1', 'null']) {
  for (const call of [() => crypto.createHash(name).digest('hex'), () => crypto.createHmac(name, 'key').digest('hex'),
                      () => crypto.hash(name, 'x')]) {
    try {
      console.log(name, call());
    } catch (error) {
      console.log(name, error.name, error.code, error.message);
    }
  }
}
const before = Date.now();
const ids = [crypto.randomUUIDv7(), crypto.randomUUIDv7({ disableEntropyCache: true })];
const after = Date.now();
for (const id of ids) {
  const time = parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  console.log(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id), time >= before, time <= after);
}
console.log(new Set(Array.from({ length: 1000 }, () => crypto.randomUUIDv7())).size);
for (const options of [1, null, { disableEntropyCache: 1 }]) {
  try {
    console.log(crypto.randomUUIDv7(options));
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
console.log(Object.keys(crypto).filter((name) => typeof crypto[name] === 'function' && /^(?:argon|random|hash|hkdf)/.test(name)));
