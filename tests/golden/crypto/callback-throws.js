'use strict';
// Exceptions of callbacks are uncaught exceptions, and the next callback still runs.
const crypto = require('node:crypto');
const dns = require('node:dns');
const seen = [];
process.on('uncaughtException', (error) => seen.push(error.message));
process.on('exit', () => console.log(seen.sort()));
crypto.randomBytes(8, () => { throw new Error('bytes'); });
crypto.randomFill(new Uint8Array(8), () => { throw new Error('fill'); });
crypto.pbkdf2('a', 'b', 1, 8, 'sha1', () => { throw new Error('pbkdf2'); });
crypto.scrypt('a', 'b', 8, () => { throw new Error('scrypt'); });
dns.lookup('localhost', () => { throw new Error('lookup'); });
dns.lookup('::1', () => { throw new Error('number'); });
crypto.hkdf('sha1', 'a', 'b', 'c', 8, () => { throw new Error('hkdf'); });
