// Sizes at and beyond the limits.
'use strict';
const { kMaxLength, kStringMaxLength, constants } = require('buffer');
console.log(kMaxLength, kStringMaxLength, constants);
const attempt = (run) => {
  try {
    console.log(run());
  } catch (e) {
    console.log(e.name, e.code, e.message);
  }
};
for (const size of [kMaxLength + 1, 2 ** 53, Infinity, -1, NaN]) {
  for (const name of ['alloc', 'allocUnsafe', 'allocUnsafeSlow']) attempt(() => Buffer[name](size));
}
const big = Buffer.allocUnsafeSlow(kStringMaxLength + 1);
for (const encoding of ['utf8', 'latin1']) attempt(() => big.toString(encoding));
attempt(() => big.toString('latin1', 0, 10).length);
attempt(() => big.toString('utf8', kStringMaxLength - 5, kStringMaxLength).length);
attempt(() => Buffer.concat([Buffer.alloc(1)], kMaxLength + 1));
const text = 'a'.repeat(2 ** 20 * 3);
console.log(Buffer.from(text).toString() === text, Buffer.from(text, 'latin1').toString('latin1') === text);
console.log(Buffer.from(text).toString('hex').length, Buffer.from(Buffer.from(text).toString('base64'), 'base64').equals(Buffer.from(text)));
const wide = 'ü€😀'.repeat(2 ** 18);
console.log(Buffer.from(wide).length, Buffer.from(wide).toString() === wide, Buffer.byteLength(wide));
console.log(Buffer.from(wide, 'utf16le').toString('utf16le') === wide);
// Around the sizes at which strings and buffers are kept in another way.
for (const size of [2047, 2048, 2049, 4095, 4096, 8192, 61440, 61441, 122879, 122880, 122881, 131072, 262144]) {
  const ascii = Buffer.alloc(size, 'abcdefg');
  const latin = 'é'.repeat(size);
  const wider = 'aé中'.repeat(size / 3);
  console.log(size, ascii.toString().length, ascii.toString('hex').slice(-4), ascii.toString('base64').slice(-4),
    Buffer.from(latin).toString() === latin, Buffer.from(latin, 'latin1').toString('latin1') === latin,
    Buffer.from(wider).toString() === wider, Buffer.from(wider, 'ucs2').toString('ucs2') === wider,
    Buffer.from(`x${wider}`, 'ucs2').subarray(2).toString('ucs2') === wider,
    Buffer.byteLength(wider), Buffer.byteLength(latin), btoa(latin).length, atob(btoa(latin)) === latin,
    `${ascii}${wider}`.slice(size - 1, size + 2), ascii.toString().indexOf('g', size - 8), new TextEncoder().encode(wider).length);
}
