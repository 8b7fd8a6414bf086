'use strict';
// Refusals, missing records, and malformed answers.
const dns = require('node:dns');
const resolver = new dns.Resolver({ timeout: 500, tries: 6 });
resolver.setServers([process.argv[2]]);

const ask = (method, ...args) => new Promise((resolve) => resolver[method](...args, (...answer) => resolve(answer)));
async function main() {
  for (const name of ['formerr', 'servfail', 'missing', 'notimp', 'refused', 'nothing', 'other']) {
    const [error] = await ask('resolve4', `${name}.test`);
    console.log(name, error.code, error.errno, error.syscall, error.hostname, error.message, Object.keys(error).join());
  }
  for (const name of ['wrongid', 'wrongname', 'second']) console.log(name, await ask('resolve4', `${name}.test`));
  for (const [method, name] of [
    ['resolve4', 'loop'], ['resolveCname', 'selfloop'], ['resolveCname', 'beyond'], ['resolve4', 'longdata'],
    ['resolve4', 'shortdata'], ['resolve4', 'cutheader'], ['resolve4', 'toomany'], ['resolveCname', 'longlabel'],
    ['resolveCname', 'endless'],
    ['resolveTxt', 'txtlong'], ['resolveCaa', 'caalong'], ['resolveMx', 'mxshort'], ['resolveSoa', 'soashort'],
    ['resolveNaptr', 'naptrlong'], ['resolveAny', 'shortdata'],
  ]) {
    const [error, found] = await ask(method, `${name}.test`);
    console.log(method, name, error?.code, found);
  }
  for (const name of ['a..b', 'x'.repeat(64), `${'x.'.repeat(200)}test`, '', 'a b.test', 'a$(b).test', 'a\\.b.test',
    '*.test', '\\', 'x\\']) {
    const [error, found] = await ask('resolve4', name);
    console.log(JSON.stringify(name).slice(0, 30), error?.code, found);
  }
  const [error] = await ask('reverse', '203.0.113.1');
  console.log('reverse', error.code, error.syscall, error.message);
}
main();
