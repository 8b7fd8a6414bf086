// Patched prototypes and globals do not break what is built in.
'use strict';
const { Buffer: B, atob: decode } = require('buffer');
const { StringDecoder } = require('string_decoder');
const keep = console.log.bind(console);
Uint8Array.prototype.set = Uint8Array.prototype.fill = String.prototype.charCodeAt = Array.prototype.push = () => {
  throw new Error('patched');
};
globalThis.Uint8Array = globalThis.ArrayBuffer = undefined;
String.prototype.toLowerCase = Math.floor = Math.trunc = Number.isNaN = () => { throw new Error('patched'); };
const results = [
  B.from('hello').toString(), B.from('68656c6c6f', 'HEX').toString('latin1'), B.alloc(3, 'ab').toString(),
  B.concat([B.from('a'), B.from('b')]).toString(), B.from([1, 2.9, 3]).toString('hex'), decode('aGk='),
  B.from('abc').indexOf('c', 1.5), B.from('abc').copy(B.alloc(3), 1.2), new StringDecoder('utf8').write(B.from('\u00e9')),
  new TextDecoder().decode(B.from('x')), new TextEncoder().encode('\u20ac').length,
];
keep(results.join(' '));
// A buffer whose memory went elsewhere is empty.
const moved = B.alloc(16, 1);
structuredClone(moved.buffer, { transfer: [moved.buffer] });
keep(moved.length, JSON.stringify(moved.toString()), moved.equals(B.alloc(0)), moved.indexOf('a'), moved.readUInt8 === undefined);
