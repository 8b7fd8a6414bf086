'use strict';
// Every wrong argument of the random functions, of timingSafeEqual and of secret keys gets Node's error.
const crypto = require('node:crypto');

const nothing = () => {};
let count = 0;
function attempt(call) {
  try {
    console.log(++count, call());
  } catch (error) {
    console.log(count, error.name, error.code, error.message);
  }
}
const throwing = (key) => Object.defineProperty({}, key, { get() { throw new Error(`the getter of ${key}`); } });
for (const size of [undefined, null, -1, 2 ** 31, NaN, Infinity, '1', {}, 1n, Symbol('s')]) {
  attempt(() => crypto.randomBytes(size));
  attempt(() => crypto.randomBytes(size, nothing));
}
attempt(() => crypto.randomBytes(1.5).length);
for (const callback of [2, null, {}, 'f']) attempt(() => crypto.randomBytes(1, callback));
for (const buffer of [undefined, null, [], {}, 'abc', 5]) {
  attempt(() => crypto.randomFillSync(buffer));
  attempt(() => crypto.randomFill(buffer, nothing));
}
for (const args of [[3], [1, 2], [-1], ['a'], [0, 'a'], [NaN], [0, -1], [0, 2 ** 31], [0, NaN], [null], [0, null], [{}]]) {
  attempt(() => crypto.randomFillSync(Buffer.alloc(2), ...args));
  attempt(() => crypto.randomFill(Buffer.alloc(2), ...args, nothing));
  attempt(() => crypto.randomFillSync(new Uint32Array(2), ...args));
}
attempt(() => crypto.randomFill(Buffer.alloc(2)));
attempt(() => crypto.randomFill(Buffer.alloc(2), 0, 1));
attempt(() => crypto.randomFill(Buffer.alloc(2), 0, 1, 'f'));
for (const args of [
  [], [0], [1.5], [3, 3], [2 ** 48], [-(2 ** 47), 2 ** 47], [1, 2, 3], ['1'], [null, 2], [1, {}], [1, 2 ** 53], [NaN],
  [-(2 ** 53), 1], [5, 1], [1, null],
]) {
  attempt(() => crypto.randomInt(...args));
}
for (const options of [1, null, 'a', [], { disableEntropyCache: 1 }, throwing('disableEntropyCache')]) {
  attempt(() => typeof crypto.randomUUID(options));
}
for (const args of [[], [Buffer.alloc(1), 2], ['a', 'a'], [Buffer.alloc(1), Buffer.alloc(2)], [null, null]]) {
  attempt(() => crypto.timingSafeEqual(...args));
}
for (const key of [undefined, null, 1, {}, [], true]) attempt(() => crypto.createSecretKey(key));
const key = crypto.createSecretKey(Buffer.from('abc'));
for (const options of [1, null, { format: 'pem' }, { format: 1 }, throwing('format')]) attempt(() => key.export(options));
for (const other of [undefined, null, {}, 'abc', Buffer.from('abc')]) attempt(() => key.equals(other));
attempt(() => new crypto.KeyObject());
attempt(() => new crypto.KeyObject('secret', 1));
attempt(() => new crypto.KeyObject('x', {}));
attempt(() => crypto.KeyObject.from(1));
attempt(() => crypto.setEngine());
attempt(() => crypto.setEngine('x'));
