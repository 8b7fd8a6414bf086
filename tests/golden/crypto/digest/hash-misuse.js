'use strict';
// Every wrong use of Hash and Hmac gets Node's error.
const crypto = require('node:crypto');

let count = 0;
function attempt(call) {
  try {
    console.log(++count, call());
  } catch (error) {
    console.log(count, error.name, error.code, error.message, Object.keys(error));
  }
}
const throwing = (key) => Object.defineProperty({}, key, { get() { throw new Error(`the getter of ${key}`); } });
for (const name of ['xyz', '', undefined, null, 1, {}, Symbol('s'), 'null', 'x'.repeat(10000)]) {
  attempt(() => crypto.createHash(name).digest('hex'));
  attempt(() => crypto.createHmac(name, 'key').digest('hex'));
  attempt(() => crypto.hash(name, 'key'));
}
for (const outputLength of [10, 0, -1, '1', 1.5, 2 ** 32, NaN, null, {}]) {
  attempt(() => crypto.createHash('sha1', { outputLength }).digest('hex'));
}
attempt(() => crypto.createHash('sha1', throwing('outputLength')));
attempt(() => crypto.createHash('sha1', 1).digest('hex'));
for (const data of [undefined, null, 1, {}, [], new ArrayBuffer(3), true, () => {}, Symbol('s'), 1n]) {
  attempt(() => crypto.createHash('sha1').update(data));
  attempt(() => crypto.createHmac('sha1', 'k').update(data));
  attempt(() => crypto.hash('sha1', data));
}
attempt(() => crypto.createHash('sha1').update('abc', 'hex'));
attempt(() => crypto.createHmac('sha1', 'k').update('abc', 'hex'));
attempt(() => crypto.createHash('sha1').update('zz', 'hex').digest('hex'));
attempt(() => crypto.hash('sha1', 'a', 'nope'));
attempt(() => crypto.hash('sha1', 'a', 1));
const done = crypto.createHash('sha1');
done.digest();
attempt(() => done.digest());
attempt(() => done.update('a'));
attempt(() => done.copy());
for (const key of [undefined, null, 1, {}, [], () => {}]) attempt(() => crypto.createHmac('sha1', key));
attempt(() => crypto.createHmac('sha1', 'a', { encoding: 1 }));
attempt(() => crypto.createHmac('sha1', 'a', throwing('encoding')));
attempt(() => crypto.createHmac('sha1', 'a', 1).digest('hex'));
const hmac = crypto.createHmac('sha1', 'a');
hmac.digest();
attempt(() => hmac.digest());
attempt(() => hmac.digest('hex'));
attempt(() => hmac.update('a'));
attempt(() => new crypto.Hash());
attempt(() => new crypto.Hmac());
const detached = new Uint8Array(8);
structuredClone(detached, { transfer: [detached.buffer] });
attempt(() => crypto.createHash('sha1').update(detached).digest('hex'));
