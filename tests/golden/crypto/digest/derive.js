'use strict';
// pbkdf2, scrypt and hkdf: known answers, both ways, and that no callback comes before its call returned.
const crypto = require('node:crypto');
const { promisify } = require('node:util');

function failure(call) {
  try {
    return call();
  } catch (error) {
    return [error.message, error.code, error.reason, error.library, error.opensslErrorStack];
  }
}

async function main() {
  for (const digest of ['sha1', 'sha256', 'sha512', 'md5', 'RSA-SHA256']) {
    console.log(digest, crypto.pbkdf2Sync('password', 'salt', 2, 20, digest).toString('hex'));
  }
  console.log(crypto.pbkdf2Sync(Buffer.from('pass\0word'), new Uint8Array(Buffer.from('sa\0lt')), 4096, 16, 'sha1').toString('hex'));
  console.log(crypto.pbkdf2Sync('', '', 1, 8, 'sha256'), failure(() => crypto.pbkdf2Sync('a', 'b', 1, 0, 'sha256')));
  console.log(failure(() => crypto.pbkdf2Sync('a', 'b', 1, 8, 'shake128')));
  console.log(crypto.scryptSync('password', 'NaCl', 64, { N: 1024, p: 16 }).toString('hex'));
  console.log(crypto.scryptSync('', '', 64, { cost: 16, blockSize: 1, parallelization: 1 }).toString('hex'));
  console.log(crypto.scryptSync('a', 'b', 0), crypto.scryptSync('a', new ArrayBuffer(2), 4));
  const ikm = Buffer.alloc(22, 0x0b);
  const salt = Buffer.from('000102030405060708090a0b0c', 'hex');
  const info = Buffer.from('f0f1f2f3f4f5f6f7f8f9', 'hex');
  console.log(Buffer.from(crypto.hkdfSync('sha256', ikm, salt, info, 42)).toString('hex'));
  console.log(Buffer.from(crypto.hkdfSync('sha1', ikm, '', '', 42)).toString('hex'));
  console.log(crypto.hkdfSync('sha512', crypto.createSecretKey(ikm), salt, info, 8), crypto.hkdfSync('sha512', '', '', '', 4));
  console.log(crypto.hkdfSync('sha1', 'k', 's', 'i', 255 * 20).byteLength, failure(() => crypto.hkdfSync('sha1', 'k', 's', 'i', 0)));
  await promisify(crypto.pbkdf2)('a', 'b', 1, 0, 'sha256').catch((error) => console.log(error.message, error.code));

  let returned = false;
  const early = (name) => (error, key) => console.log(name, returned, error, key);
  const waits = [];
  const start = (name, begin) => waits.push(new Promise((resolve) => begin((error, key) => {
    early(name)(error, key);
    resolve();
  })));
  start('pbkdf2', (done) => crypto.pbkdf2('password', 'salt', 1, 8, 'sha1', done));
  await Promise.resolve();
  returned = true;
  await Promise.all(waits);
  returned = false;
  start('scrypt', (done) => crypto.scrypt('password', 'salt', 8, { N: 16 }, done));
  returned = true;
  await Promise.all(waits);
  returned = false;
  start('hkdf', (done) => crypto.hkdf('sha256', 'key', 'salt', 'info', 8, done));
  returned = true;
  await Promise.all(waits);
  console.log(await promisify(crypto.pbkdf2)('password', 'salt', 1, 8, 'sha1'));
  console.log(await promisify(crypto.scrypt)('password', 'salt', 8));
  console.log(await promisify(crypto.hkdf)('sha256', 'key', 'salt', 'info', 8));

  // The password is taken when the call is made.
  const password = Buffer.from('password');
  const key = promisify(crypto.pbkdf2)(password, 'salt', 1, 8, 'sha1');
  password.fill(0);
  console.log(await key);
  const many = await Promise.all(Array.from({ length: 50 }, (_, i) => promisify(crypto.pbkdf2)(`${i}`, 'salt', 1, 4, 'sha1')));
  console.log(many.every((each, i) => each.equals(crypto.pbkdf2Sync(`${i}`, 'salt', 1, 4, 'sha1'))));
}
main();
