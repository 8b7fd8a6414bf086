'use strict';
// Buffers follow resizable memory, and concat() takes sizes from the arrays themselves.
const memory = new ArrayBuffer(10, { maxByteLength: 20 });
const whole = Buffer.from(memory);
const rest = Buffer.from(memory, 1);
const fixed = Buffer.from(memory, 1, 4);
for (const size of [15, 20, 5, 3]) {
  memory.resize(size);
  console.log(size, whole.length, rest.length, fixed.length);
}

const first = new Uint8Array([1, 2, 3, 4]);
const second = new Uint8Array([5, 6, 7, 8]);
Object.defineProperty(first, 'length', { get() { return 100; } });
console.log(Buffer.concat([first, second]), Buffer.concat([first, second], 6), Buffer.concat([first], 6));
for (const list of [[first, 'text'], [second, {}], [second, new Uint16Array(2)], [{ length: 1e15 }], [null]]) {
  for (const length of [undefined, 2]) {
    try {
      console.log(Buffer.concat(list, length));
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
}
