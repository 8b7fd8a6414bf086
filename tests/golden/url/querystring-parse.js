'use strict';
const qs = require('node:querystring');

const show = (...args) => console.log(JSON.stringify(args.slice(1)), '->', args[0]);
for (const text of ['', '&', '=', 'a', 'a=', '=b', 'a=1&b=2', 'a=1&a=2&a=3', 'a=b=c', '&&a=1&&', 'a+b=c+d', 'a%20b=c%2Bd', '%E4%BD%A0=%E5%A5%BD', 'a=%E4%BD',
  'a=%', 'a=%zz', 'a=%4', '__proto__=1&toString=2&hasOwnProperty=3', 'ä=ö', 'a;b=c', 'foo=%EDndef', 'a=!-._~\'()*', 'x=%00', '%3D=%26'])
  show(qs.parse(text), text);
show(qs.parse('a:1;b:2;c', ';', ':'), 'own separators');
show(qs.parse('a==1&&b==2&c=3', '&&', '=='), 'long separators');
show(qs.parse('a=1&b=2&c=3', null, null, { maxKeys: 2 }), 'maxKeys 2');
show(Object.keys(qs.parse(Array.from({ length: 1500 }, (_, i) => `k${i}=1`).join('&'))).length, 'maxKeys default');
show(Object.keys(qs.parse(Array.from({ length: 1500 }, (_, i) => `k${i}=1`).join('&'), '&', '=', { maxKeys: 0 })).length, 'no maxKeys');
show(qs.parse('a=%20x&b+c=d', '&', '=', { decodeURIComponent: (s) => `<${s}>` }), 'decoder');
show(qs.parse('a=%41&b=1', '&', '=', { decodeURIComponent() { throw new Error('no'); } }), 'a throwing decoder');
for (const value of [undefined, null, 5, {}, [], true]) show(qs.parse(value), String(value));
show(qs.decode === qs.parse, qs.encode === qs.stringify);
show(qs.unescape('a%20b%zz%41'), qs.unescape('%E4'), qs.unescapeBuffer('a+%20%ff%', true), qs.unescapeBuffer('%6'));
const { unescape } = qs;
qs.unescape = (s) => s.toUpperCase();
show(qs.parse('a=b%20'), 'patched unescape');
qs.unescape = unescape;
// Separators that become empty texts.
for (const [sep, eq] of [[[], undefined], [undefined, []], [[], []], [['&'], ['=']]]) {
  for (const text of ['a', 'a=b&c', '=', 'x%20=1', 'a=']) show(qs.parse(text, sep, eq), sep, eq, text);
}
show(qs.parse('a=b&c', [], '=', { maxKeys: 0 }), 'no maxKeys');
