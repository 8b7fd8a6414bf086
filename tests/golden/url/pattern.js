'use strict';
// URLPattern: how patterns are read and written, and what they match.
const patterns = [
  [['/foo/:bar(.*)?', 'https://x']], [['https://:sub.x.com/:p+']], [['https://x.com/{a,b}*']], [['http{s}?://x/*']],
  [['https://x.com:*/a']], [[{ pathname: '/(foo|bar)/*' }]], [[{ hostname: 'café.com' }]], [[{ pathname: '/é' }]],
  [['data:foo*']], [[{ protocol: 'javascript', pathname: 'x/:y' }]], [['https://[\\:\\:1]/']], [['https://x?a=:b#c']],
  [['https://u:p@h/']], [[{ search: '?q=:v' }]], [[{ hash: '#h:x' }]], [[{ port: '80', protocol: 'http' }]],
  [[{ pathname: '{/a}+' }]], [[{ pathname: '/*/*' }]], [[{ pathname: './b', baseURL: 'https://x/y/z' }]], [['?q', 'https://x/y']],
  [['#h', 'https://x/y?z']], [[{}]], [['*:*']], [[{ pathname: '/\\:a' }]], [[{ pathname: 'a{b}c' }]],
  [[{ pathname: '/x(\\d+)y' }]], [[{ pathname: '/foo/:__proto__' }]], [[{ pathname: '/FOO/*' }, { ignoreCase: true }]],
  // Invalid patterns.
  [['/a']], [[{ port: '9999999' }]], [[{ hostname: 'bad hostname' }]], [[{ hostname: '[::1' }]], [[{ pathname: '((' }]],
  [[{ pathname: '{a' }]], [[{ pathname: ':' }]], [[{ pathname: '\\' }]], [[{ pathname: '/:a/:a' }]], [[5]], [[{}, 1]], [[{}, 'https://x']],
];
const inputs = [
  'https://x/foo/1', 'https://a.x.com/b/c', 'https://x.com/ab', 'http://x/q', 'https://x.com:8/a', 'data:foobar',
  'https://café.com/é', 'https://u:p@h/', 'https://x?a=5#c', { pathname: '/foo/bar' }, { pathname: 'x/1', protocol: 'javascript' },
  'https://x/y?q', 'https://[::1]/', undefined,
];
const names = ['protocol', 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash', 'hasRegExpGroups'];
for (const [args] of patterns) {
  try {
    const pattern = new URLPattern(...args);
    console.log(JSON.stringify(args), names.map((name) => pattern[name]).join(' | '));
    for (const input of inputs) {
      const match = pattern.exec(input);
      if (match !== null) console.log('  ', JSON.stringify(input), JSON.stringify(match));
    }
  } catch (error) {
    console.log(JSON.stringify(args), error.name, error.code, error.message);
  }
}
console.log(Object.keys(URLPattern.prototype), URLPattern.length, String(new URLPattern()));
for (const call of [() => URLPattern(), () => URLPattern.prototype.test.call({}), () => URLPattern.prototype.hash, () => new URLPattern().test(5)]) {
  try {
    call();
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
