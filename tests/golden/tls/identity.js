'use strict';
// checkServerIdentity()
const tls = require('tls');

function attempt(host, certificate) {
  let error;
  try { error = tls.checkServerIdentity(host, certificate); } catch (thrown) { error = thrown; }
  console.log(JSON.stringify(host), JSON.stringify(certificate), error === undefined ? 'valid' : `${error.code}: ${error.reason ?? error.message} ${error.host}`);
}
const names = (subjectaltname) => ({ subject: { CN: 'common.test' }, subjectaltname });
for (const [host, pattern] of [
  ['a.com', 'a.com'], ['A.COM', 'a.com'], ['a.com.', 'a.com'], ['a.com', 'a.com.'], ['a.com', '*.com'], ['b.a.com', '*.a.com'],
  ['c.b.a.com', '*.a.com'], ['a.com', '*.a.com'], ['xyz.a.com', 'x*.a.com'], ['xyz.a.com', '*z.a.com'], ['xyz.a.com', 'x*z.a.com'],
  ['xyz.a.com', 'x*y*.a.com'], ['xz.a.com', 'xz*xz.a.com'], ['xn--a.a.com', 'xn--*.a.com'], ['a.com', 'a..com'], ['', ''],
  ['b.a.com', 'b.*.com'], ['a.com', 'a.com\u0000.evil'], ['ä.test', 'xn--4ca.test'], ['localhost', 'localhost'],
]) attempt(host, names(`DNS:${pattern}`));
attempt('a.com', { subject: { CN: 'a.com' } });
attempt('a.com', { subject: { CN: ['b.com', 'a.com'] } });
attempt('a.com', { subject: {} });
attempt('a.com', {});
attempt('common.test', names('DNS:a.com, DNS:b.com'));
attempt('b.com', names('DNS:a.com, DNS:b.com'));
attempt('b.com', names('DNS:"a, b", DNS:b.com'));
attempt('b.com', names('DNS:"a, DNS:b.com'));
attempt('common.test', names('IP Address:1.2.3.4'));
attempt('1.2.3.4', names('IP Address:1.2.3.4'));
attempt('1.2.3.5', names('IP Address:1.2.3.4, DNS:1.2.3.5'));
attempt('::1', names('IP Address:0:0:0:0:0:0:0:1'));
attempt('1.2.3.4', { subject: { CN: '1.2.3.4' } });
attempt('a.com', names('URI:http://a.com/'));
