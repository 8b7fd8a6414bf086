'use strict';
// Pool work of different length, and look-ups.
const crypto = require('crypto');
const dns = require('dns');
const order = [];
for (let i = 0; i < 6; i++) {
  crypto.pbkdf2('secret', 'salt', 10 + 7000 * (i % 3), 16, 'sha256', () => order.push(`pbkdf2 ${i}`));
}
for (const name of ['a', 'b']) dns.lookup('localhost', () => order.push(`lookup ${name}`));
crypto.randomBytes(8, () => order.push('randomBytes'));
crypto.scrypt('secret', 'salt', 16, { N: 1024 }, () => order.push('scrypt'));
process.on('exit', () => console.log(order.join(', ')));
