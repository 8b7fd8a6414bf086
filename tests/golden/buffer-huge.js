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
