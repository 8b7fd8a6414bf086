'use strict';
// With a seed, all random bytes of a run follow from it, in the order of the calls.
const crypto = require('node:crypto');
console.log(crypto.randomBytes(8).toString('hex'), crypto.randomInt(1000), crypto.randomUUID());
crypto.randomBytes(8, (error, bytes) => console.log('first', bytes.toString('hex')));
crypto.randomBytes(8, (error, bytes) => console.log('second', bytes.toString('hex')));
console.log(globalThis.crypto.getRandomValues(new Uint16Array(4)));
