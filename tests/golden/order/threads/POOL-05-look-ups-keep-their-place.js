'use strict';
// With one worker jobs run in the order in which they were started. A look-up keeps its place; a second one that waits
// behind it goes to the end of the queue.
process.env.UV_THREADPOOL_SIZE = '1';
const crypto = require('crypto');
const dns = require('dns');
const fs = require('fs');
const { waitUntilIdle } = require('../../fixtures/idle.js');

crypto.pbkdf2('a', 'b', 300_000, 8, 'sha512', () => console.log('long')); // The others queue up behind it.
fs.lstat('.', () => console.log('lstat'));
dns.lookup('localhost', () => console.log('look-up 1'));
crypto.pbkdf2('a', 'b', 1, 8, 'sha1', () => console.log('pbkdf2'));
dns.lookup('localhost', () => console.log('look-up 2'));
fs.access('.', () => console.log('access'));
waitUntilIdle();
