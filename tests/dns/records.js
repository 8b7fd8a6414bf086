'use strict';
// Every type of record, with callbacks and promises.
const dns = require('node:dns');
const server = process.argv[2];
dns.setServers([server]);

const ask = (method, ...args) => new Promise((resolve) => dns[method](...args, (...answer) => resolve(answer)));
const show = (label, value) => console.log(label, JSON.stringify(value));
async function main() {
  show('resolve4', await ask('resolve4', 'a.test'));
  show('ttl', await ask('resolve4', 'a.test', { ttl: true }));
  show('no ttl', await ask('resolve4', 'a.test', { ttl: false }));
  show('resolve6', await ask('resolve6', 'a.test'));
  show('ttl', (await ask('resolve6', 'a.test', { ttl: true }))[1][0]);
  for (const [method, name] of [
    ['resolveMx', 'mx.test'], ['resolveNs', 'ns.test'], ['resolveTxt', 'txt.test'], ['resolveSrv', 'srv.test'],
    ['resolveNaptr', 'naptr.test'], ['resolveSoa', 'soa.test'], ['resolveCaa', 'caa.test'],
    ['resolveCname', 'www.test'], ['resolvePtr', 'ptr.test'], ['reverse', '192.0.2.1'], ['reverse', '2001:db8::1'],
    ['resolve4', 'www.test'],
    ['resolve4', 'class.test'], ['resolve4', 'CASE.test'], ['resolve4', 'bücher.test'], ['resolve', 'case.test'],
  ]) {
    show(`${method} ${name}`, await ask(method, name));
  }
  show('any', await ask('resolveAny', 'any.test'));
  show('unknown', await ask('resolveAny', 'unknown.test'));
  for (const type of ['A', 'AAAA', 'MX', 'NS', 'TXT', 'SRV', 'NAPTR', 'SOA', 'CAA', 'CNAME', 'PTR', 'ANY']) {
    const name = { A: 'a', AAAA: 'a', CNAME: 'www' }[type] ?? type.toLowerCase();
    const [error, found] = await ask('resolve', `${name}.test`, type);
    const method = { A: 'resolve4', AAAA: 'resolve6' }[type] ?? `resolve${type[0]}${type.slice(1).toLowerCase()}`;
    show(type, [error, JSON.stringify(found) === JSON.stringify(await dns.promises.resolve(`${name}.test`, type)),
      JSON.stringify(found) === JSON.stringify(await dns.promises[method](`${name}.test`))]);
  }
  show('promise', await dns.promises.resolve4('a.test', { ttl: true }));
  show('promise', await dns.promises.resolve('a.test'));
  show('reverse', await dns.promises.reverse('192.0.2.1'));
  show('big', (await ask('resolve4', 'big.test'))[1].length);
  const many = await Promise.all(Array.from({ length: 100 }, () => dns.promises.resolve4('case.test')));
  show('many', many.every(([address]) => address === '192.0.2.5'));
}
main();
