'use strict';
// argon2(): the vectors of RFC 9106, both ways, and what is refused.
const crypto = require('node:crypto');
const { promisify } = require('node:util');

const parameters = {
  message: Buffer.alloc(32, 1), nonce: Buffer.alloc(16, 2), secret: Buffer.alloc(8, 3), associatedData: Buffer.alloc(12, 4),
  parallelism: 4, tagLength: 32, memory: 32, passes: 3,
};
const attempt = (name, call) => {
  try {
    console.log(name, call());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
async function main() {
  for (const algorithm of ['argon2d', 'argon2i', 'argon2id']) {
    console.log(algorithm, crypto.argon2Sync(algorithm, parameters).toString('hex'));
    console.log(algorithm, (await promisify(crypto.argon2)(algorithm, parameters)).toString('hex'));
  }
  const few = { message: 'password', nonce: 'somesalt', parallelism: 1, tagLength: 16, memory: 64, passes: 2 };
  console.log(crypto.argon2Sync('argon2id', few), crypto.argon2Sync('argon2id', { ...few, message: '', tagLength: 4 }));
  console.log(crypto.argon2Sync('argon2id', { ...few, message: new ArrayBuffer(3), nonce: new DataView(new ArrayBuffer(8)) }));
  // The message is taken when the call is made.
  const message = Buffer.from('password');
  const wait = promisify(crypto.argon2)('argon2id', { ...few, message });
  message.fill(0);
  console.log(await wait);

  for (const algorithm of [undefined, 1, 'argon2', 'ARGON2ID']) attempt('algorithm', () => crypto.argon2Sync(algorithm, few));
  for (const value of [undefined, null, 1, 'x']) attempt('parameters', () => crypto.argon2Sync('argon2id', value));
  for (const change of [
    { message: undefined }, { message: 1 }, { nonce: undefined }, { nonce: '1234567' }, { secret: 1 }, { secret: null }, { associatedData: {} },
    { parallelism: 0 }, { parallelism: '1' }, { parallelism: 2 ** 24 }, { tagLength: 3 }, { tagLength: 1.5 }, { tagLength: 2 ** 32 },
    { memory: 7 }, { memory: undefined }, { parallelism: 4, memory: 31 }, { passes: 0 }, { passes: -1 }, { passes: 2 ** 32 },
  ]) {
    attempt(Object.keys(change), () => crypto.argon2Sync('argon2id', { ...few, ...change }));
    attempt(Object.keys(change), () => crypto.argon2('argon2id', { ...few, ...change }, () => {}));
  }
  attempt('callback', () => crypto.argon2('argon2id', few));
}
main();
