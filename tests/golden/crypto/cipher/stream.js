'use strict';
// Ciphers as streams.
const crypto = require('node:crypto');
const { Readable } = require('node:stream');
const { pipeline } = require('node:stream/promises');

const key = Buffer.alloc(32, 'k');
const iv = Buffer.alloc(16, 'v');
async function collect(source) {
  const chunks = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}
async function main() {
  const cipher = crypto.createCipheriv('aes-256-cbc', key, iv);
  cipher.write('héllo ');
  cipher.write('c3a9', 'hex');
  cipher.end('!');
  const sealed = await collect(cipher);
  console.log(sealed.toString('hex'));
  const decipher = crypto.createDecipheriv('aes-256-cbc', key, iv);
  decipher.end(sealed);
  console.log((await collect(decipher)).toString());

  let result;
  await pipeline(
    Readable.from(Array.from({ length: 100 }, (_, i) => Buffer.alloc(1000, i))),
    crypto.createCipheriv('aes-256-ctr', key, iv),
    crypto.createDecipheriv('aes-256-ctr', key, iv),
    crypto.createHash('sha256'),
    async (source) => { result = await collect(source); },
  );
  console.log(result.toString('hex'));

  const text = crypto.createCipheriv('aes-256-cbc', key, iv);
  text.setEncoding('base64');
  let out = '';
  text.on('data', (chunk) => { out += chunk; });
  text.on('end', () => console.log(out));
  text.end('text');
  await new Promise((resolve) => text.on('close', resolve));

  const bad = crypto.createDecipheriv('aes-256-cbc', key, iv);
  bad.end(Buffer.alloc(32));
  await collect(bad).catch((error) => console.log(error.code, error.message));
  await pipeline(Readable.from([Buffer.alloc(5)]), crypto.createDecipheriv('aes-256-gcm', key, iv), collect)
    .catch((error) => console.log(error.code, error.message));
}
main();
