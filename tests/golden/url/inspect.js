'use strict';
// Output of inspect() for URLs.
const { inspect } = require('util');
class Address extends URL {}
for (const text of [
  'https://user:pass@host.name:8080/path/name/?que=ry#hash', 'http://user@host/', 'http://:pass@host/a?', 'file:///a/b#', 'mailto:x@y?z',
  'a:/.//b', 'ws://[::1]:1', 'wss://x/?a#b', 'ftp://x:21/y', 'data:,',
]) console.log(inspect(new URL(text), { showHidden: true }));
console.log(new Address('http://a/b'));
console.log({ a: new URL('http://a') }, inspect({ a: new URL('http://a') }, { depth: 0 }), inspect(new Address('http://a'), { depth: -1 }));
