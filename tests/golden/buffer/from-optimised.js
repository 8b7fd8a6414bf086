'use strict';
// Buffer.from(string) in optimised code: text of one and of two bytes per character, flat and concatenated, and text whose
// bytes do not fit into what is left of the pool.
function check(text, encoding) {
  const buffer = Buffer.from(text, encoding);
  return buffer.toString(encoding) === text ? buffer.length : -1;
}

const texts = ['plain', 'caf\u00e9', '\u00ff'.repeat(20), '\u65e5\u672c', '', 'x'.repeat(300), '\u00e9'.repeat(3000)];
const sums = { utf8: 0, latin1: 0 };
let failures = 0;
for (let i = 0; i < 60_000; i++) {
  const text = i % 5 === 0 ? `${i}\u00e8` : texts[i % texts.length];
  for (const encoding of ['utf8', 'latin1']) {
    if (encoding === 'latin1' && text === '\u65e5\u672c') continue;
    const length = check(text, encoding);
    if (length < 0) failures++;
    sums[encoding] += length;
  }
}
console.log(failures, sums);
console.log(Buffer.from('\u65e5\u672c', 'latin1'));
