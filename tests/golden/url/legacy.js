'use strict';
const url = require('node:url');

for (const input of ['http://user:pass@sub.EXAMPLE.com:8080/p/a/t/h?query=string#hash', '/a/b?c=d#e', '//host/path', 'mailto:a@b.c', 'javascript:alert("x y")', 'http://a b/c d?e f#g h', 'HTTP://x', 'http://x?q', 'file:///etc/passwd',
  'http://[::1]:80/x', 'http://é.com/ü', 'x:1', 'http:/a', 'http:a', 'http://a@b@c/', 'http://a%20b/', 'http:\\\\a\\b?c\\d', ' http://trim ', 'http://h/{}|\\^`<>"\'', 'http://h:', '', '#', '?', 'a', './a', 'http://-x_y.z/', 'svn+ssh://foo/bar'])
  console.log(JSON.stringify(input), JSON.stringify(url.parse(input)), JSON.stringify(url.parse(input, true, true)));
console.log(url.parse('http://u:p@h:1/p?a=1&a=2#f', true));
for (const [from, to] of [['/one/two/three', 'four'], ['http://example.com/', '/one'], ['http://example.com/one', '/two'], ['http://a/b/c/d;p?q', '../g'], ['http://a/b/c/d;p?q', ''], ['http://a/b/c/d;p?q', '?y'],
  ['http://a/b/c/d;p?q', '#s'], ['http://a/b/c/d;p?q', '../../../g'], ['http://a/b/c/d;p?q', './g/.'], ['http://a/b/c/d;p?q', '//g'], ['http://a/b', 'https://c'], ['http://a/b', 'mailto:x@y'], ['mailto:a@b', 'c'], ['foo:a/b', 'c'],
  ['.', '#x'], ['..', 'a'], ['a/b', '../../c'], ['http://u:p@a/b', '/c'], ['http://u:p@a/b', '//c/d'], ['http://a', 'b'], ['/a/b/', '..'], ['', 'c'], ['http://x/y/%40/z', 'w'], ['file:///a/b', 'c'], ['http://a.com/b/cd/./e.md.js/../index.html', '../x']])
  console.log(from, to, url.resolve(from, to));
for (const object of [{}, { host: 'h', protocol: 'http' }, { hostname: '::1', port: 5, protocol: 'file' }, { pathname: 'a?b#c', search: 'q#', hash: 'h' }, { query: { a: [1, 2], b: 'x y' }, pathname: '/x' }, { slashes: true, host: 'h', pathname: 'p' },
  { auth: 'a:b@c', host: 'h', protocol: 'ftp:' }, { protocol: 'mailto', auth: 'me', host: 'x.y' }, { search: '?s', query: { ignored: 1 } }, { protocol: 'file', pathname: '/p' }, 'http://a b/', []])
  console.log(JSON.stringify(object), url.format(object));
const whatwg = new URL('http://u:p@xn--g6w251d/?q#h');
console.log(url.format(whatwg), url.format(whatwg, { unicode: true }), url.format(whatwg, { auth: false, fragment: false, search: false }), url.format(new URL('foo:bar?x#y'), { search: false }));
const wrong = [() => url.parse(), () => url.parse(5), () => url.parse(whatwg), () => url.parse('http://[::1/x'), () => url.parse('http://%:x@y/'), () => url.parse('http://xn--iñvalid.com/'), () => url.format(), () => url.format(null), () => url.format(5), () => url.format(whatwg, 5),
  () => url.resolve(), () => url.resolve('/a', 5), () => url.resolve('a')];
for (const what of wrong) {
  try { console.log(what()); } catch (err) { console.log(err.name, err.code, err.message, err.input); }
}
console.log(url.parse('http://a'.repeat(2)).href, url.resolveObject('/a/b', 'c').pathname, url.resolveObject('', 'c'), new url.Url(), url.parse('x') instanceof url.Url);
