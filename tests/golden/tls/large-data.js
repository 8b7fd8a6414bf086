'use strict';
// Much data in both directions, with pauses and with writes of every kind. The order of bytes is checked.
const crypto = require('crypto');
const { connect } = require('./fixtures/keys');

const parts = [];
for (let i = 0; i < 60; i++) parts.push(i % 3 === 0 ? 'text ä€ '.repeat(i * 97) : Buffer.alloc(i * 1013, i));
const expected = crypto.createHash('sha256');
for (const part of parts) expected.update(part);
const wanted = expected.digest('hex');

connect({ allowHalfOpen: true }, { allowHalfOpen: true }, (client, other) => {
  const hash = crypto.createHash('sha256');
  let chunks = 0;
  other.on('data', (chunk) => {
    hash.update(chunk);
    if (++chunks % 20 === 0) {
      other.pause();
      setImmediate(() => other.resume());
    }
  });
  other.on('end', () => {
    console.log('all bytes', hash.digest('hex') === wanted, other.bytesRead === client.bytesWritten);
    const big = Buffer.alloc(5_000_000, 'x');
    console.log('back-pressure', other.write(big), other.writableLength === big.length);
    other.end(() => console.log('sent'));
  });
  let size = 0;
  client.on('data', (chunk) => { size += chunk.length; });
  client.on('end', () => console.log('received', size, client.bytesRead));
  client.cork();
  parts.slice(0, 30).forEach((part) => client.write(part));
  client.uncork();
  parts.slice(30).forEach((part) => client.write(part));
  client.end();
}, () => console.log('closed'));
