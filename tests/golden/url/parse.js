'use strict';

const parts = ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'];
const inputs = ['http://example.com', 'HTTPS://User:Pa%20ss@EXAMPLE.com:443/a/./b/../c//d?x=1&y=%20#frag ment', 'http://example.com:8080/?', 'http://example.com/#',
  '  http://trim.me/\t\n ', 'http:\\\\back\\slash\\path?a\\b', 'ftp://host:21/x', 'ws://h:80', 'wss://h:444/', 'file:///C|/x/../../y', 'file://localhost/etc/hosts',
  'file://host/share', 'file:a/b', 'mailto:someone@example.com?subject=hi', 'data:text/plain,Hello World ', 'javascript:alert(1)', 'blob:https://a.b/uuid', 'foo://host/a/../..//b',
  'foo:/a/b', 'foo:bar/../x', 'urn:isbn:123', 'http://1.2.3', 'http://0x7f.1/', 'http://017700000001', 'http://256.1.1.1', 'http://1.2.3.4.5', 'http://[::1]:3000/',
  'http://[2001:db8:0:0:1:0:0:1]/', 'http://[::ffff:1.2.3.4]', 'http://[1:2:3]', 'http://[::1', 'http://ex ample.com', 'http://a%41.com', 'http://a%2fb/', 'http://münchen.de/ä?ö#ü',
  'http://xn--mnchen-3ya.de', 'http://例え.テスト', 'http://a\u00adb.com/', 'http://', 'http:', 'http:///x', '//no/base', '', 'x', 'a:b:c', '1a:b', 'http://a:99999/', 'http://a:b/', 'http://@/', 'http://u@/',
  'http://u:@h', 'http://:p@h', 'http://h/%zz%2E%2e/..%2f', "http://h/'\"<>`{}|^~?'\"<>`{}|^~#'\"<>`{}|^~", "foo:'\"<>`{}?'\"<>`#'\"<>`", 'http://h/\u{1f600}?\u{1f600}#\u{1f600}', 'http://h/\ud800?\udc00', 'web+demo:/.//not-a-host/',
  'non-special://host:80/', 'non-special://[::1]/x', 'non-special://a b/', 'about:blank', 'http://a.b.c./', 'http://h?q', 'http://h#f', 'http://a_b.c/', 'http://foo.0x', 'http://foo.09..'];
for (const input of inputs) {
  try {
    const url = new URL(input);
    console.log(JSON.stringify(input), parts.map((part) => url[part]).join(' | '));
  } catch (err) {
    console.log(JSON.stringify(input), err.name, err.code, err.message, JSON.stringify(err.input), 'base' in err);
  }
}
const relatives = ['', '.', '..', '/', '//h2/x', '///h2', 'x', './x', '../x', '../../../x', '?q2', '#f2', 'http:x', 'https:x', '\\x', 'a/b/../c', 'y:z', ' x ', 'C:/w', '/C:/w', 'c|'];
for (const base of ['http://u:p@host:81/a/b/c?q#f', 'file:///C:/a/b', 'file://h/a/b', 'foo://h/a/b?q', 'foo:/a/b', 'mailto:x@y', 'nonsense']) {
  for (const input of relatives) {
    let out;
    try { out = new URL(input, base).href; } catch (err) { out = `${err.code} ${err.base}`; }
    console.log(base, JSON.stringify(input), out, URL.canParse(input, base), URL.parse(input, base)?.href ?? null);
  }
}
