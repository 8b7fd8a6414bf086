'use strict';
// Callbacks of crypto and dns run in the context of the call that started them.
const { AsyncLocalStorage, createHook, executionAsyncId } = require('node:async_hooks');
const crypto = require('node:crypto');
const dns = require('node:dns');

const storage = new AsyncLocalStorage();
const types = new Set();
const hook = createHook({ init(id, type) { types.add(type); } });
const run = (name, begin) => new Promise((resolve) => storage.run(name, () => begin(() => {
  console.log(name, storage.getStore(), executionAsyncId() > 1);
  resolve();
})));
async function main() {
  hook.enable();
  await run('bytes', (done) => crypto.randomBytes(8, done));
  await run('fill', (done) => crypto.randomFill(new Uint8Array(8), done));
  await run('int', (done) => crypto.randomInt(8, done));
  await run('pbkdf2', (done) => crypto.pbkdf2('a', 'b', 1, 8, 'sha1', done));
  await run('scrypt', (done) => crypto.scrypt('a', 'b', 8, { N: 2 }, done));
  await run('hkdf', (done) => crypto.hkdf('sha1', 'a', 'b', 'c', 8, done));
  await run('key', (done) => crypto.generateKey('aes', { length: 128 }, done));
  await run('lookup', (done) => dns.lookup('localhost', done));
  await run('number', (done) => dns.lookup('127.0.0.1', done));
  await run('service', (done) => dns.lookupService('127.0.0.1', 59999, done));
  await storage.run('digest', async () => {
    await crypto.subtle.digest('SHA-1', new Uint8Array(1));
    console.log(storage.getStore());
    await dns.promises.lookup('localhost');
    console.log(storage.getStore());
  });
  hook.disable();
  for (const type of ['RANDOMBYTESREQUEST', 'PBKDF2REQUEST', 'SCRYPTREQUEST', 'GETADDRINFOREQWRAP', 'GETNAMEINFOREQWRAP']) {
    console.log(type, types.has(type));
  }
}
main();
