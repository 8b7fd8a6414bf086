'use strict';
// All sources of randomness.
const crypto = require('crypto');
const map = new Map();
for (let i = 0; i < 100; i++) map.set({}, i);
console.log(Math.random(), Math.random(), crypto.randomBytes(8).toString('hex'), crypto.randomUUID(),
  crypto.randomInt(1e9), crypto.getRandomValues(new Uint32Array(2)).join(),
  crypto.webcrypto.getRandomValues(new Uint8Array(4)).join(),
  crypto.randomFillSync(Buffer.alloc(4)).toString('hex'), Date.now(), performance.now());
crypto.randomInt(1000, (error, number) => console.log(number));
crypto.randomFill(Buffer.alloc(4), (error, buffer) => console.log(buffer.toString('hex')));
crypto.generateKey('hmac', { length: 64 }, (error, key) => console.log(key.export().toString('hex')));
