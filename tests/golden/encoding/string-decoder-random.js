// Random bytes in random pieces: the text and the state after each piece, for every encoding.
'use strict';
const { StringDecoder } = require('string_decoder');
let seed = 7;
const random = (limit) => {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return (seed >>> 8) % limit;
};
const likely = [0x41, 0x80, 0xbf, 0xc3, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0xd8, 0xdc, 0, 0xff, 0xf8, 0xed, 0xa0, 0x3d];
const encodings = ['utf8', 'utf16le', 'base64', 'base64url', 'hex', 'latin1', 'ascii'];
for (let round = 0; round < 400; round++) {
  const decoder = new StringDecoder(encodings[round % 3 === 0 ? random(7) : random(3)]);
  let line = decoder.encoding;
  for (let piece = random(6); piece >= 0; piece--) {
    const bytes = Buffer.from(Array.from({ length: random(7) }, () => (random(4) ? likely[random(likely.length)] : random(256))));
    line += ` ${JSON.stringify(decoder.write(bytes))}/${decoder.lastNeed}/${decoder.lastTotal}`;
  }
  console.log(line, JSON.stringify(decoder.end()));
}
