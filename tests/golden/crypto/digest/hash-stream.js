'use strict';
// Hashes and codes as streams.
const crypto = require('node:crypto');
const { Readable, pipeline } = require('node:stream');
const { finished } = require('node:stream/promises');

async function main() {
  const hash = crypto.createHash('sha256');
  hash.write('a');
  hash.write('62', 'hex');
  hash.end(Buffer.from('c'));
  for await (const chunk of hash) console.log('chunk', chunk);
  console.log(hash.digest('hex'));

  const text = crypto.createHmac('sha1', 'key');
  text.setEncoding('hex');
  text.on('data', (chunk) => console.log('data', chunk));
  text.on('end', () => console.log('end'));
  text.end('data');
  await finished(text);

  await new Promise((resolve) => {
    const piped = crypto.createHash('md5');
    piped.on('readable', () => {
      const data = piped.read();
      if (data) console.log('readable', data.toString('hex'));
    });
    piped.on('finish', () => console.log('finish'));
    piped.on('end', resolve);
    Readable.from(['x', Buffer.from('y'), 'z']).pipe(piped);
  });

  await new Promise((resolve) => {
    pipeline(Readable.from(['x', 'yz']), crypto.createHash('md5'), async function* (source) {
      for await (const chunk of source) yield chunk.toString('base64');
    }, async (source) => {
      for await (const chunk of source) console.log('pipeline', chunk);
    }, (error) => resolve(console.log('done', error)));
  });

  const ended = crypto.createHash('sha1');
  ended.end('x');
  ended.resume();
  await finished(ended);
  console.log(ended.digest('base64'));
}
main();
