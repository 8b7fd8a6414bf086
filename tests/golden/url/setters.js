'use strict';

const starts = ['https://u:p@host:81/a/b?q=1#f', 'http://host/', 'file:///a/b', 'foo://host/a', 'mailto:x y'];
const values = {
  href: ['http://new/', 'nonsense'],
  protocol: ['http', 'https:', 'ftp://x', 'file', 'foo', '', '1x', 'WS:abc'],
  username: ['', 'me', 'a:b@c/d é'],
  password: ['', 'pw', ':@/?#'],
  host: ['new', 'new:99', 'new:443', 'NEW:80/x', 'a b', '[::1]:7', '', 'x?y', 'münchen.de', '1.2'],
  hostname: ['new', 'new:99', '[::2]', '', 'a/b', 'localhost'],
  port: ['', '80', '443', '8080', '99999', '12ab', '0', '65535', ' 9'],
  pathname: ['x', '/x/../y', 'a?b#c', '', '\\w', '/%2e%2e/é', '//x'],
  search: ['', '?', 'x=1', '?x=1#y', 'é \'"', '??'],
  hash: ['', '#', 'x', '#x y`"', '##'],
};
for (const start of starts) {
  for (const [name, list] of Object.entries(values)) {
    for (const value of list) {
      const url = new URL(start);
      try { url[name] = value; } catch (err) { console.log(start, name, value, err.code, err.input); continue; }
      console.log(start, name, JSON.stringify(value), url.href, url.search, url.hash);
    }
  }
}
const url = new URL('http://h/?a=1&b=2');
const { searchParams } = url;
searchParams.append('c', 'x y');
console.log(url.href);
url.search = '?only=me&only=you';
console.log(searchParams === url.searchParams, String(searchParams), searchParams.getAll('only'));
searchParams.delete('only');
console.log(url.href, url.search);
url.href = 'http://other/?z=26';
console.log(searchParams.get('z'));
searchParams.set('z', '\u{1f600}&=+');
searchParams.sort();
console.log(url.href, JSON.stringify({ url }), `${url}`);
console.log(url);
console.log({ nested: { url } }, [searchParams], Object.keys(url).length);
for (const what of [() => new URL(), () => URL('x'), () => new URL(Symbol('s')), () => { url.href = ''; }, () => URL.canParse(), () => URL.parse(), () => URL.parse('x'), () => URL.prototype.href,
  () => { 'use strict'; url.origin = 'x'; }, () => new URL({ toString() { throw new Error('toString'); } }), () => new URL({ toString: () => 'http://o/' }).href, () => new URL('/x', new URL('http://b/c')).href, () => new URL('x', null)]) {
  try { console.log(what()); } catch (err) { console.log(err.name, err.code, err.message); }
}
String.prototype.charCodeAt = String.prototype.slice = String.prototype.indexOf = RegExp.prototype.exec = () => { throw new Error('patched'); };
console.log(new URL('HTTP://Ex.com:80/a/../b?c#d').href);
