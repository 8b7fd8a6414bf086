// Every property of Buffer, its prototype and the module: names, order, attributes and numbers of parameters.
'use strict';
const buffer = require('buffer');
function list(title, object) {
  console.log(title);
  for (const key of Reflect.ownKeys(object)) {
    const d = Object.getOwnPropertyDescriptor(object, key);
    const flags = (d.enumerable ? 'e' : '') + (d.writable ? 'w' : '') + (d.configurable ? 'c' : '') + (d.get ? 'g' : '');
    console.log(' ', String(key), flags, typeof d.value === 'function' ? `${d.value.name}/${d.value.length}` : '');
  }
}
list('buffer', buffer);
list('Buffer', Buffer);
list('Buffer.prototype', Buffer.prototype);
console.log(Object.getPrototypeOf(Buffer) === Uint8Array, Object.getPrototypeOf(Buffer.prototype) === Uint8Array.prototype);
const b = Buffer.from('abc');
console.log(b.constructor === Buffer, b instanceof Uint8Array, Buffer.isBuffer(b), Buffer.isBuffer(new Uint8Array(1)));
console.log(Object.prototype.toString.call(b), Buffer.poolSize, b.buffer.byteLength);
console.log([...b], [...b.entries()], b.map((x) => x + 1) instanceof Buffer, b.filter((x) => x > 97).toString());
console.log(b.subarray(1).buffer === b.buffer, b.slice(1, 2).length, Uint8Array.prototype.slice.call(b, 1).buffer === b.buffer);
class Mine extends Uint8Array {}
console.log(Buffer.from(new Mine([1, 2])).constructor.name);
b.extra = 1;
console.log(b, [Buffer.alloc(51)], { nested: { deep: { deeper: Buffer.from('x') } } });
buffer.INSPECT_MAX_BYTES = 2;
console.log(b, Buffer.alloc(3));
console.log(JSON.stringify(Buffer.from('hi')), Buffer.from(JSON.parse(JSON.stringify(Buffer.from('hi')))).toString());
