'use strict';
// Work of the kernel or a worker takes no virtual time.
const fs = require('fs');
const crypto = require('crypto');
const dns = require('dns');
const start = Date.now();
const log = (name) => console.log(name, Date.now() - start);
(async () => {
  setTimeout(log, 1, 'a millisecond');
  const all = [
    fs.promises.readFile(__filename).then(() => log('read')),
  ];
  await Promise.all(all);
  await new Promise((resolve) => { crypto.pbkdf2('a', 'b', 200000, 64, 'sha512', () => resolve(log('derived'))); });
  await dns.promises.lookup('127.0.0.1').then(() => log('found'));
  await new Promise((resolve) => { setTimeout(resolve, 999); });
  log('a second');
  for await (const _ of fs.createReadStream(__filename));
  log('streamed');
})();
