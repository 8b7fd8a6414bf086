'use strict';
// Every wrong argument of a look-up gets Node's error.
const dns = require('node:dns');

const nothing = () => {};
const throwing = (key) => Object.defineProperty({}, key, { get() { throw new Error(`the getter of ${key}`); } });
function attempt(name, call) {
  try {
    const result = call();
    if (result instanceof Promise) {
      result.then(() => console.log(name, 'resolved'), (error) => console.log(name, 'rejected', error.message));
    } else {
      console.log(name, 'no error');
    }
  } catch (error) {
    console.log(name, error.code, error.message);
  }
}
const cases = [
  [], [1], ['x'], ['x', 1], ['x', 'y'], ['x', 'y', nothing], ['x', true, nothing], ['x', 5, nothing],
  ['x', { family: 5 }, nothing], ['x', { family: '4' }, nothing], ['x', { family: 'ipv4' }, nothing],
  ['x', { hints: 3 }, nothing], ['x', { hints: '3' }, nothing], ['x', { hints: -1 }, nothing],
  ['x', { all: 1 }, nothing], ['x', { verbatim: 'a' }, nothing], ['x', { order: 'q' }, nothing], ['x', null],
  ['x', { order: 4 }, nothing], [{}, nothing], [Symbol('s'), nothing], [[], {}, nothing], ['x', {}, 'f'],
  ['x', throwing('family'), nothing], ['x', throwing('hints'), nothing],
  ['x', throwing('all'), nothing], ['x', throwing('verbatim'), nothing], ['x', throwing('order'), nothing],
];
cases.forEach((args, index) => attempt(`lookup ${index}`, () => dns.lookup(...args)));
cases.filter((args) => args[1] !== nothing && args[0] !== undefined && args.length > 2 && typeof args[2] === 'function')
  .forEach(([host, options], index) => attempt(`promises.lookup ${index}`, () => dns.promises.lookup(host, options)));
[
  [], ['127.0.0.1'], ['127.0.0.1', 80], ['x', 80, nothing], ['127.0.0.1', -1, nothing], ['127.0.0.1', 65536, nothing],
  ['127.0.0.1', 'a', nothing], ['127.0.0.1', 80, 'f'], [undefined, 80, nothing], ['127.0.0.1', undefined, nothing],
].forEach((args, index) => {
  attempt(`lookupService ${index}`, () => dns.lookupService(...args));
  if (args.length === 3 && typeof args[2] === 'function') {
    attempt(`promises.lookupService ${index}`, () => dns.promises.lookupService(args[0], args[1]));
  }
});
attempt('promises.lookupService none', () => dns.promises.lookupService());
for (const order of [undefined, 'x', 4, null]) attempt(`order ${order}`, () => dns.setDefaultResultOrder(order));
for (const text of [
  '1.2.3.4', '01.2.3.4', '1.2.3', '1.2.3.256', '1.2.3.4.5', '::', '::1', '1::', ':1', '1:', '1:2:3:4:5:6:7:8',
  '1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7::', '::2:3:4:5:6:7:8', '1::2::3', ':::', '1:2:3:4:5:6:1.2.3.4', '::1.2.3.4',
  '1:2:3:4:5:6:7:1.2.3.4', '::1:2:3:4:5:6:1.2.3.4', '12345::', 'fe80::1%eth0', '::1%', '::%a/b', 'g::', '1.2.3.4%x',
  '1:2:3:4:5::1.2.3.4', '::ffff:1.2.3.4:5', '1.2.3.4:',
]) {
  try {
    dns.lookupService(text, 70000, nothing);
  } catch (error) {
    console.log(text, error.code === 'ERR_SOCKET_BAD_PORT');
  }
}
