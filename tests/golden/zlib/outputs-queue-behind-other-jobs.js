'use strict';
// Each further output of a decoder is a job of the pool, behind the jobs that were queued before it.
process.env.UV_THREADPOOL_SIZE = '1';
const zlib = require('zlib');
const crypto = require('crypto');
const { waitUntilIdle } = require('../fixtures/idle');

const decoder = zlib.createGunzip();
let count = 0;
decoder.on('data', (data) => {
  console.log(`output ${++count}: ${data.length}`);
  if (count > 3) return;
  const id = count;
  crypto.pbkdf2('a', 'b', 1, 8, 'sha1', () => {
    console.log(`job ${id}`);
    crypto.randomBytes(8, () => {
      console.log(`second job ${id}`);
      waitUntilIdle();
    });
    waitUntilIdle();
  });
  setImmediate(waitUntilIdle);
});
decoder.on('end', () => console.log('end'));
decoder.end(zlib.gzipSync(Buffer.alloc(150000, 'abc')));
