'use strict';
// Servers that do not answer: number of tries, timeout, and cancel().
const dns = require('node:dns');
const server = process.argv[2];
function make(options) {
  const resolver = new dns.Resolver(options);
  resolver.setServers([server]);
  return resolver;
}
const ask = (resolver, method, ...args) =>
  new Promise((resolve) => resolver[method](...args, (...answer) => resolve(answer)));
async function main() {
  for (const tries of [1, 2]) {
    const begin = process.hrtime.bigint();
    const [error] = await ask(make({ timeout: 100, tries }), 'resolve4', 'silent.test');
    const took = Number(process.hrtime.bigint() - begin) / 1e6;
    console.log(tries, error.code, error.message, took >= 95 * tries);
  }
  const nobody = new dns.Resolver({ timeout: 60000, tries: 1 });
  nobody.setServers(['127.0.0.1:1']);
  console.log((await ask(nobody, 'resolve4', 'a.test'))[0].code);

  const cancelled = make({ timeout: 10000 });
  let returned = false;
  const answers = ['resolve4', 'resolveMx'].map((method) => ask(cancelled, method, 'silent.test').then(([error]) =>
    console.log(method, returned, error.code, error.message)));
  cancelled.cancel();
  returned = true;
  await Promise.all(answers);
  cancelled.cancel();
  console.log((await ask(cancelled, 'resolve4', 'case.test'))[1]);

  const promised = new dns.promises.Resolver({ timeout: 10000 });
  promised.setServers([server]);
  const promise = promised.resolve4('silent.test').catch((error) => console.log('promise', error.code));
  promised.cancel();
  await promise;

  const pending = make();
  const last = ask(pending, 'resolve4', 'silent.test');
  try {
    pending.setServers(['127.0.0.1']);
  } catch (error) {
    console.log(error.code, error.message.replace(/ \[.*/, ''));
  }
  pending.cancel();
  await last;
  pending.setServers(['127.0.0.1', '[::1]:5353', '::2', '127.0.0.2:99']);
  console.log(pending.getServers());
  const local = make();
  local.setLocalAddress('127.0.0.1');
  console.log((await ask(local, 'resolve4', 'case.test'))[1]);
  // The callback of one starts the next query, and cancels others.
  const chained = make({ timeout: 10000 });
  chained.resolve4('silent.test', (error) => console.log('outer', error.code));
  chained.resolve4('case.test', (error, found) => {
    console.log(found);
    chained.cancel();
    chained.resolve4('case.test', (again, more) => console.log(again, more));
  });
}
main();
