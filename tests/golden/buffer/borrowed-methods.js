'use strict';
// Every method of Buffer on things that are no buffers, or say they are longer than they are.
const names = Object.getOwnPropertyNames(Buffer.prototype)
  .filter((name) => name !== 'constructor' && typeof Object.getOwnPropertyDescriptor(Buffer.prototype, name).value === 'function');
const receivers = [
  () => ({ length: 200 }), () => new Array(200).fill(1), () => new Uint16Array(200), () => 'x'.repeat(200), () => 7, () => null,
  () => Object.create(Buffer.prototype), () => Object.defineProperty(Buffer.alloc(16), 'length', { value: 1e6 }),
  () => Object.defineProperty(new Uint8Array(16), 'byteLength', { value: 1e6 }), () => new Proxy(Buffer.alloc(200), {}),
];
const argumentLists = [
  [], [Buffer.from('abc')], ['abc'], [1], [1, 2], ['abc', 0, 100], [Buffer.alloc(300), 0, 0, 150], [1, 0, 150], ['abc', 'hex'], [1, 150000],
  ['ab', 500000, 900000, 'hex'], [0, 900000], [Buffer.alloc(1e6), 0, 500000, 900000], ['x'.repeat(5000), 900000], [300000, 900000, 5],
];
for (const name of names) {
  for (const receiver of receivers) {
    for (const list of argumentLists) {
      try {
        Reflect.apply(Buffer.prototype[name], receiver(), list);
      } catch (error) {
        if (!(error instanceof Error)) console.log(name, 'threw', error);
      }
    }
  }
}
console.log('survived');
