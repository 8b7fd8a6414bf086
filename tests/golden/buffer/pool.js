// Small buffers share memory, begin at multiples of eight, and never overlap.
'use strict';
const made = [];
for (let i = 0; i < 3000; i++) {
  const kind = i % 5;
  const size = (i * 37) % 200;
  const text = 'é'.repeat(size % 20) + 'x'.repeat(size);
  const buffer = kind === 0 ? Buffer.allocUnsafe(size).fill(i) :
    kind === 1 ? Buffer.from(text) :
      kind === 2 ? Buffer.from('ab'.repeat(size), 'hex') :
        kind === 3 ? Buffer.from([i, i >> 8, size]) : Buffer.concat([Buffer.from(text), Buffer.from([i])]);
  made.push([buffer, buffer.toString('hex')]);
  if (buffer.length > 0 && buffer.byteOffset % 8 !== 0) console.log('not aligned', i, buffer.byteOffset);
}
console.log('changed:', made.filter(([buffer, hex]) => buffer.toString('hex') !== hex).length);
console.log(Buffer.allocUnsafe(4095).buffer.byteLength, Buffer.allocUnsafe(4096).buffer.byteLength,
  Buffer.allocUnsafeSlow(10).buffer.byteLength, Buffer.alloc(10).buffer.byteLength);
console.log(Buffer.from('x'.repeat(4095)).buffer.byteLength, Buffer.from('x'.repeat(4096)).buffer.byteLength);
console.log(Buffer.from('é'.repeat(3000)).length, Buffer.from('é'.repeat(3000)).toString() === 'é'.repeat(3000));
Buffer.poolSize = 16;
console.log(Buffer.from('abc').toString(), Buffer.allocUnsafe(3).length, Buffer.from('long enough for no pool').toString());
Buffer.poolSize = 0;
console.log(Buffer.from('abc').buffer.byteLength, Buffer.allocUnsafe(3).buffer.byteLength);
