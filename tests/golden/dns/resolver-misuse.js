'use strict';
// Every wrong argument of resolvers gets Node's error.
const dns = require('node:dns');

let count = 0;
function attempt(call) {
  try {
    const result = call();
    if (result instanceof Promise) result.catch((error) => console.log('rejected', error.code, error.message));
    else console.log(++count, result instanceof dns.Resolver ? 'a resolver' : result);
  } catch (error) {
    console.log(++count, error.name, error.code, error.message);
  }
}
const nothing = () => {};
const throwing = (key) => ({ get [key]() { throw new Error(`the getter of ${key}`); } });
for (const options of [{ timeout: 'a' }, { timeout: -2 }, { timeout: 1.5 }, { tries: 0 }, { tries: 'x' }, { tries: 2 ** 31 }, 1, null,
                       throwing('timeout'), throwing('tries'), throwing('maxTimeout'), { maxTimeout: 'a' }, { maxTimeout: -1 }, { maxTimeout: 1.5 },
                       { maxTimeout: 2 ** 32 }, { maxTimeout: null }, { maxTimeout: undefined }, { maxTimeout: -0 }, { maxTimeout: 1000 },
                       { timeout: -2, tries: 0, maxTimeout: -1 }, { tries: 0, maxTimeout: -1 }]) {
  attempt(() => new dns.Resolver(options));
}
attempt(() => dns.Resolver());
const resolver = new dns.Resolver();
for (const servers of [undefined, null, 'x', '1.2.3.4', ['x'], [1], [''], ['1.2.3.4:'], ['1.2.3'], ['[x]:53'], ['1.2.3.4', {}]]) {
  attempt(() => resolver.setServers(servers));
  attempt(() => dns.setServers(servers));
}
resolver.setServers(['1.2.3.4', '[::1]:5353', '::1', '1.2.3.4:99', '[fe80::1%lo]:53', '[::1]', '[::2]:x']);
console.log(resolver.getServers());
resolver.setServers([]);
console.log(resolver.getServers());
for (const args of [
  [], [1], ['x'], ['127.0.0.1'], ['::1'], ['127.0.0.1', '::1'], ['::1', '127.0.0.1'], ['127.0.0.1', 1], ['127.0.0.1', '127.0.0.1'],
  ['127.0.0.1', 'x'], ['::1', '::1'], [null], ['', ''],
]) {
  attempt(() => resolver.setLocalAddress(...args));
}
const promised = new dns.promises.Resolver();
for (const method of ['resolve4', 'resolve6', 'resolveAny', 'resolveCaa', 'resolveCname', 'resolveMx', 'resolveNaptr', 'resolveNs', 'resolvePtr',
                      'resolveSoa', 'resolveSrv', 'resolveTxt', 'reverse']) {
  for (const args of [[], ['x'], [1, nothing], ['x', {}], ['x', {}, 'f'], [null, nothing]]) attempt(() => resolver[method](...args));
  for (const args of [[], [1], [null]]) attempt(() => promised[method](...args));
  attempt(() => resolver[method]('x', throwing('ttl'), nothing));
  console.log(dns[method].name, dns[method].length, resolver[method].name, resolver[method].length);
}
for (const args of [['x'], ['x', 'NOPE', nothing], ['x', 1, nothing], ['x', 'A'], ['x', 'toString', nothing], ['x', 'a', nothing], []]) {
  attempt(() => resolver.resolve(...args));
  attempt(() => dns.resolve(...args));
}
for (const args of [['x', 1], ['x', 'NOPE'], ['x', null], []]) attempt(() => promised.resolve(...args));
attempt(() => resolver.reverse('x', nothing));
attempt(() => promised.reverse('x'));
resolver.cancel();
promised.cancel();
const before = dns.resolve4;
dns.setServers(['127.0.0.1:1', '[::1]:2']);
console.log(before === dns.resolve4, dns.getServers(), dns.promises.getServers());
const list = ['127.0.0.1:3'];
dns.promises.setServers(list);
list[0] = 'x';
console.log(dns.getServers(), dns.promises.getServers());
console.log(Object.keys(dns).join(), Object.keys(dns.promises).join());
console.log(dns.NODATA, dns.EOF, dns.CANCELLED, dns.promises.TIMEOUT, dns.ADDRCONFIG, dns.V4MAPPED, dns.ALL);
const replaced = new dns.Resolver();
replaced._handle.getServers = () => {};
console.log(replaced.getServers());
