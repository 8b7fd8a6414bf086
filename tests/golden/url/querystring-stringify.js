'use strict';
const qs = require('node:querystring');

for (const value of [{}, { a: 1 }, { a: '', b: null, c: undefined, d: NaN, e: Infinity, f: true, g: false, h: 10n, i: {}, j: () => {}, k: Symbol.iterator, l: -0, m: 1e30 },
  { a: ['x', 'y', 1], b: [], c: [[1, 2]] }, { 'ä ö': '你+&=' }, { "-_.!~*'()": "-_.!~*'()" }, Object.create({ inherited: 1 }), ['p', 'q'], 'text', null, undefined, 5,
  new Map([['a', 1]]), { '': '' }, { emoji: '\u{1f600}' }])
  console.log(JSON.stringify(qs.stringify(value)));
console.log(qs.stringify({ a: 1, b: [2, 3] }, ';', ':'), qs.stringify({ a: 1, b: 2 }, '', ''), qs.stringify({ a: 1, b: 2 }, null, 0));
console.log(qs.stringify({ a: 'x y', b: 5 }, null, null, { encodeURIComponent: (s) => `[${s}]` }));
for (const value of ['a b', 5, null, undefined, true, { toString: () => 'o o' }, [1, 2], '\u{1f600}', '']) console.log(qs.escape(value));
for (const what of [() => qs.escape('\ud800'), () => qs.stringify({ a: '\udfff' }), () => qs.escape(Symbol('s')), () => qs.escape(Object.create(null)),
  () => qs.stringify({ get a() { throw new Error('getter'); } }), () => qs.stringify({ a: 1 }, null, null, { encodeURIComponent() { throw new Error('encoder'); } })]) {
  try { console.log(what()); } catch (err) { console.log(err.name, err.code, err.message); }
}
const { escape } = qs;
qs.escape = (s) => s.toUpperCase();
console.log(qs.stringify({ a: 'b c' }));
qs.escape = escape;
String.prototype.charCodeAt = Array.isArray = () => { throw new Error('patched'); };
console.log(qs.stringify({ a: ['b c'] }), qs.parse('a=%20'));
