'use strict';
// URLs for which Node's parser does not follow the standard.
for (const [input, base] of [['x#y', 'mailto:a'], ['?q#y', 'about:blank'], ['/..', 'foo:/a/b'], ['foo:///..', undefined],
  ['http://xn--', undefined]]) {
  try { console.log(new URL(input, base).href); } catch (err) { console.log(err.code); }
}
const url = new URL('http://host:81/');
url.port = 'x1';
console.log(url.href);
const opaque = new URL('foo://host/p');
opaque.pathname = '..';
console.log(opaque.href);
