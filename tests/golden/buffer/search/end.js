'use strict';
const buffer = Buffer.from('abcabc');
console.log(buffer.indexOf('c', 0, 3), buffer.indexOf('c', 0, 2), buffer.indexOf(0x61, 1, 4), buffer.indexOf('a', 0, -1));
console.log(buffer.lastIndexOf('a', 5, 3), buffer.includes('bc', 0, 2), buffer.indexOf('c', 0, 3, 'latin1'), buffer.indexOf('c', 'utf8'));
console.log(buffer.copy(new Uint16Array(2)), Buffer.allocUnsafe(10, 4096).length, Buffer.allocUnsafeSlow(3, 64).length);
for (const alignment of [0, 3, 1.5, '8', 2 ** 31]) {
  try {
    Buffer.allocUnsafe(10, alignment);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
console.log(require('node:buffer').SlowBuffer, Buffer.poolSize, structuredClone(new File(['x'], 'n', { lastModified: 5 })));
