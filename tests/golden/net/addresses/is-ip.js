// isIP() and similar functions.
const net = require('node:net');

const texts = [
  '127.0.0.1', '0.0.0.0', '255.255.255.255', '256.0.0.1', '1.2.3', '1.2.3.4.5', '01.2.3.4', '1.2.3.04', ' 1.2.3.4', '1.2.3.4 ',
  '1..2.3', '', '::', '::1', '1::', '1::2', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '1::2::3', ':::', ':1',
  '1:', '::ffff:1.2.3.4', '::1.2.3.4', '1.2.3.4::', '::ffff:256.1.1.1', 'fe80::1%eth0', 'fe80::1%', '%eth0', 'g::', '12345::',
  'ABCD:EF01::', '[::1]', '::1/64', 'localhost', '1.2.3.4%eth0', '::0.0.0.0', '0:0:0:0:0:0:0:0', '1:2:3:4:5:6:1.2.3.4',
  '1:2:3:4:5:6:7:1.2.3.4', 'fe80::1%a b', '\u0661.1.1.1',
];
for (const text of texts) console.log(JSON.stringify(text), net.isIP(text), net.isIPv4(text), net.isIPv6(text));
for (const value of [undefined, null, 5, {}, [], ['::1'], true, { toString: () => '::1' }, Buffer.from('127.0.0.1')]) {
  console.log(typeof value, net.isIP(value), net.isIPv4(value), net.isIPv6(value));
}
for (const name of ['isIP', 'isIPv4', 'isIPv6']) {
  try {
    net[name](Symbol('x'));
  } catch (error) {
    console.log(name, error.name, error.message);
  }
}
