'use strict';
// Look-ups of names that need no network; the callback never runs inside the call.
const dns = require('node:dns');
const util = require('node:util');

async function main() {
  let returned = false;
  await new Promise((resolve) => {
    dns.lookup('127.0.0.1', (...answer) => resolve(console.log('literal', returned, answer)));
    returned = true;
  });
  returned = false;
  await new Promise((resolve) => {
    dns.lookup('localhost', 4, (...answer) => resolve(console.log('name', returned, answer)));
    returned = true;
  });
  const ask = (host, options) => new Promise((resolve) => dns.lookup(host, options, (...answer) => resolve(answer)));
  console.log(await ask('::1', {}));
  console.log(await ask('fe80::1%lo', { all: true }));
  console.log(await ask('127.0.0.1', { family: 6 }));
  console.log(await ask('localhost', { family: 'IPv4', all: true, order: 'ipv6first' }));
  console.log(await ask('localhost', { family: 4, hints: dns.ADDRCONFIG | dns.V4MAPPED, verbatim: false }));
  for (const [host, options] of [['', null], ['', { all: true }], [undefined, { family: 6 }], ['x\0localhost', {}]]) {
    await ask(host, options).catch((error) => console.log(error.code, JSON.stringify(error.message)));
  }
  for (const bad of ['a b']) {
    const [error] = await ask(bad, {});
    console.log(error.code, error.errno, error.syscall, JSON.stringify(error.hostname), JSON.stringify(error.message),
                Object.keys(error), error.constructor === Error);
  }
  console.log(await util.promisify(dns.lookup)('localhost', 4));
  console.log(await util.promisify(dns.lookup)('127.0.0.1', { all: true }));
  console.log(await dns.promises.lookup('localhost', 4));
  console.log(await dns.promises.lookup('localhost', { family: 4, all: true }));
  console.log(await dns.promises.lookup('::1'));
  console.log(await dns.promises.lookup('').catch((error) => error.message));
  console.log(await dns.promises.lookup('a b').catch((error) => error.message));
  console.log(dns.promises === require('node:dns/promises'));
  console.log(dns.getDefaultResultOrder());
  dns.setDefaultResultOrder('ipv4first');
  console.log(dns.getDefaultResultOrder(), dns.promises.getDefaultResultOrder());
  const request = dns.lookup('localhost', () => {});
  console.log(request.constructor.name, request.hostname, request.family);
  console.log(await new Promise((resolve) => dns.lookupService('127.0.0.1', 59999, (...answer) => resolve(answer))));
  console.log(await dns.promises.lookupService('127.0.0.1', '59999'));
}
main();
