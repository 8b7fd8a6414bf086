'use strict';
const url = require('node:url');

for (const input of ['file:///a', 'file:///a%20b', 'file:///x%41?q#h', 'file:///%C3%A9', 'file:///C:/a', 'file:///a%5Cb', 'file:///a/../b', 'file://localhost/x', 'file:///a%2fb', 'file:///a%2Fb', 'file://host/a', 'http://a', 'x', 5, null, undefined, {}, new URL('file:///u r l'),
  { href: 'file:///a', protocol: 'file:', hostname: '', pathname: '/dup' }]) {
  try { console.log(url.fileURLToPath(input)); } catch (err) { console.log(err.name, err.code, err.message); }
}
for (const input of ['/a', '/a b', '/a%b', '/a?b#c', '/a\\b', '/new\nline\ttab\r', '/a/', '/é', '/a//b/../c', '//x/y', '/~^|[]', undefined, 5, null]) {
  try { console.log(url.pathToFileURL(input).href); } catch (err) { console.log(err.name, err.code, err.message); }
}
console.log(url.fileURLToPath(url.pathToFileURL('rel ative/%é#?')) === require('path').resolve('rel ative/%é#?'));
for (const input of ['https://u%40:p@h.com:81/a?b=c&d#e', 'http://[::1]/x', 'http://h/']) console.log(url.urlToHttpOptions(new URL(input)));
const extra = new URL('http://h/');
extra.headers = { a: 1 };
console.log(url.urlToHttpOptions(extra).headers);
for (const domain of ['español.com', '中文.com', 'xn--iñvalid.com', 'xn--fiq228c.com', 'EXAMPLE.com', 'a b', '', 'faß.de', '1.2', 5, undefined, 'h/p', 'h?x', 'a:80', '[::1]', ' h ', 'h\tp', 'u@h', '%41', 'x', 'http://h']) console.log(JSON.stringify([url.domainToASCII(domain), url.domainToUnicode(domain)]));
for (const what of [() => url.domainToASCII(), () => url.domainToUnicode(), () => url.urlToHttpOptions(null)]) {
  try { console.log(what()); } catch (err) { console.log(err.name, err.code, err.message); }
}
