'use strict';
// Unfinished objects are freed: with many of each kind, memory does not grow.
const crypto = require('node:crypto');
const fs = require('node:fs');

const key = Buffer.alloc(32);
const iv = Buffer.alloc(16);
const makers = {
  hash: () => crypto.createHash('sha256').update('x'),
  finished: () => crypto.createHash('sha256').update('x').digest(),
  copy: () => crypto.createHash('sha256').copy(),
  hmac: () => crypto.createHmac('sha256', key).update('x'),
  cipher: () => crypto.createCipheriv('aes-256-gcm', key, iv).update('x'),
  failed: () => { try { crypto.createCipheriv('aes-256-cbc', iv, iv); } catch { /* as it should be */ } },
  decipher: () => crypto.createDecipheriv('aes-256-cbc', key, iv),
  bytes: () => crypto.randomBytes(1000),
  derived: () => crypto.pbkdf2Sync('a', 'b', 1, 1000, 'sha1'),
  key: () => crypto.createSecretKey(key),
};
// A sanitizer keeps what was freed for a while, and finds leaks by itself.
const isSanitized = +fs.readFileSync('/proc/self/statm', 'latin1').split(' ')[0] > 2 ** 28; // Terabytes, for its shadow.
// Anonymous memory only: pages of program files come and go with what else the machine does.
const memory = () => +/RssAnon:\s+(\d+)/.exec(fs.readFileSync('/proc/self/status', 'latin1'))[1] * 1024;
const turn = () => new Promise((resolve) => setImmediate(resolve));
async function make(name, count) {
  for (let i = 0; i < count; i++) {
    makers[name]();
    if (i % 2500 === 2499) {
      globalThis.gc();
      await turn();
    }
  }
}
async function main() {
  for (const name of Object.keys(makers)) {
    await make(name, 5000);
    const before = memory();
    await make(name, 20000);
    // Each has some 500 bytes of its own at least; the heap itself may still settle.
    console.log(name, isSanitized || (memory() - before) / 20000 < 250);
  }
  const many = () => Promise.all(Array.from({ length: 500 }, () =>
    new Promise((resolve) => crypto.randomBytes(1000, resolve))));
  await many();
  const before = memory();
  for (let i = 0; i < 20; i++) {
    await many();
    globalThis.gc();
  }
  console.log('async', isSanitized || (memory() - before) / 10000 < 500);
}
main();
