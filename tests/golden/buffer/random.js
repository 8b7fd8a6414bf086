// Every operation with random text, bytes, encodings and offsets. Prints a sum of the results for each hundred;
// with a number as argument, the results of that hundred.
'use strict';
const { isAscii, isUtf8, transcode } = require('buffer');
let seed = 12345;
const random = (limit) => {
  seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
  return (seed >>> 8) % limit;
};
const pick = (list) => list[random(list.length)];
const encodings = ['utf8', 'hex', 'base64', 'base64url', 'latin1', 'ascii', 'ucs2', 'binary', 'UTF-8', 'utf16le'];
const characters = ['a', 'Z', '0', '9', '+', '/', '-', '_', '=', ' ', '\n', 'é', 'ÿ', '\u0100', '€', '\ud83d', '\ude00', '😀',
  '\u0000', 'g', 'f', 'F', '\u0130', '中', '\ufeff'];
const likelyBytes = [0x41, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0xed, 0xa0, 0xff];

function text() {
  const kind = random(5);
  let result = '';
  for (let i = random(4) === 0 ? random(200) : random(40); i > 0; i--) {
    result += kind === 0 ? characters[random(11)] :
      kind === 1 ? String.fromCharCode(32 + random(90)) :
        kind === 2 ? pick(characters) :
          kind === 3 ? '0123456789abcdefABCDEF'[random(22)] : String.fromCharCode(random(256));
  }
  return random(50) === 0 ? result.repeat(random(300)) : result;
}
function bytes() {
  const kind = random(4);
  const result = Buffer.alloc(random(4) === 0 ? random(300) : random(40));
  for (let i = 0; i < result.length; i++) {
    result[i] = kind === 0 ? random(256) : kind === 1 ? 32 + random(90) : kind === 2 ? pick(likelyBytes) : random(2);
  }
  return result;
}
const index = () => pick([0, 1, 5, -1, -5, 100, undefined, random(50) - 10, 1.5, NaN]);
const numbers = [0, 1, -1, 255, 256, 1.5, 2 ** 31, 2 ** 32 - 1, -(2 ** 31), NaN, '7', 1e300, -0.5, 2 ** 40, -(2 ** 39), 2 ** 47 - 1];
const widths = [1, 2, 3, 4, 5, 6, 7, 0, undefined, 1.5];
const fixed = ['UInt8', 'Int8', 'UInt16LE', 'Int16LE', 'UInt16BE', 'Int16BE', 'UInt32LE', 'Int32LE', 'UInt32BE', 'Int32BE',
  'FloatLE', 'FloatBE', 'DoubleLE', 'DoubleBE'];
const bigs = ['BigInt64LE', 'BigUInt64LE', 'BigInt64BE', 'BigUInt64BE'];
const intoBlank = (size, write) => {
  const target = Buffer.alloc(size, 7);
  return `${write(target)} ${target.toString('hex')}`;
};

const operations = [
  (s, b, c, e) => Buffer.from(s, e),
  (s, b, c, e) => b.toString(e),
  (s, b, c, e) => b.toString(e, index(), index()),
  (s, b, c, e) => intoBlank(random(60), (target) => target.write(s, e)),
  (s, b, c, e) => intoBlank(random(60), (target) => target.write(s, index(), index(), e)),
  (s, b, c, e) => Buffer.byteLength(s, e),
  (s, b, c, e) => b.indexOf(s.slice(0, random(4)), index(), e),
  (s, b, c, e) => b.lastIndexOf(s.slice(0, random(4)), index(), e),
  (s, b, c) => b.indexOf(c.subarray(0, random(4)), index()),
  (s, b, c) => b.lastIndexOf(c.subarray(0, random(4)), index()),
  (s, b) => b.indexOf(random(300), index()),
  (s, b) => b.lastIndexOf(random(256), index()),
  (s, b, c) => Buffer.compare(b, c),
  (s, b, c) => b.compare(c, index(), index(), index(), index()),
  (s, b, c) => b.equals(c),
  (s, b) => intoBlank(40, (target) => b.copy(target, index(), index(), index())),
  (s, b, c, e) => Buffer.alloc(random(50)).fill(s, e),
  (s, b, c, e) => Buffer.alloc(random(50)).fill(s, index(), index(), e),
  (s, b, c) => Buffer.alloc(random(50)).fill(c, index(), index()),
  (s, b) => Buffer.from(b)[pick(['swap16', 'swap32', 'swap64'])](),
  (s, b) => b.slice(index(), index()),
  (s, b, c) => Buffer.concat([b, c, b], index()),
  (s, b) => new TextDecoder('utf-8', { fatal: random(2) === 0 }).decode(b),
  (s, b) => new TextDecoder(pick(['utf-16le', 'utf-16be']), { fatal: random(4) === 0 }).decode(b),
  (s) => Buffer.from(new TextEncoder().encode(s)),
  (s) => intoBlank(random(40), (target) => JSON.stringify(new TextEncoder().encodeInto(s, target))),
  (s) => atob(s),
  (s) => btoa(s),
  (s, b) => `${isUtf8(b)} ${isAscii(b)}`,
  (s, b) => transcode(b, pick(encodings), pick(encodings)),
  () => intoBlank(12, (target) => target[`write${pick(fixed)}`](pick(numbers), index())),
  () => intoBlank(12, (target) => target[`write${pick(['UInt', 'Int'])}${pick(['LE', 'BE'])}`](pick(numbers), index(), pick(widths))),
  (s, b) => b[`read${pick(['UInt', 'Int'])}${pick(['LE', 'BE'])}`](index(), pick(widths)),
  (s, b) => b[`read${pick([...fixed, ...bigs])}`](index()),
  () => intoBlank(12, (target) =>
    target[`write${pick(bigs)}`](pick([0n, 1n, -1n, 2n ** 63n, 2n ** 64n - 1n, -(2n ** 63n), 2n ** 64n, 5]), index())),
  () => {
    const decoder = new TextDecoder(pick(['utf-8', 'utf-16le']), { ignoreBOM: random(2) === 0 });
    let result = '';
    for (let i = 0; i < 5; i++) result += `|${decoder.decode(bytes().subarray(0, random(6)), { stream: true })}`;
    return result + decoder.decode();
  },
];

const wanted = process.argv[2];
for (let hundred = 0; hundred < 120; hundred++) {
  let sum = 0;
  for (let i = 0; i < 100; i++) {
    const chosen = random(operations.length);
    let result;
    try {
      result = operations[chosen](text(), bytes(), bytes(), pick(encodings));
      if (result instanceof Uint8Array) result = result.toString('hex');
    } catch (error) {
      result = `${error.name} ${error.code} ${error.message}`;
    }
    result = String(result);
    for (let k = 0; k < result.length; k++) sum = (Math.imul(sum, 31) + result.charCodeAt(k)) | 0;
    if (Number(wanted) === hundred) console.log(operations[chosen].toString(), JSON.stringify(result));
  }
  console.log(hundred, sum);
}
