'use strict';
// Entries of the type 'dns' for queries to a name server: one for each answer.
const dns = require('node:dns');
const { PerformanceObserver } = require('node:perf_hooks');
const server = process.argv[2];
dns.setServers([server]);

const seen = [];
const observer = new PerformanceObserver((list) => {
  for (const { entryType, name, duration, detail } of list.getEntries()) {
    seen.push(`${entryType} ${name} ${duration > 0} ${JSON.stringify(detail)}`);
  }
});
const ask = (resolver, method, ...args) => new Promise((resolve) => resolver[method](...args, resolve));
const flush = async (label) => {
  for (let i = 0; i < 3; i++) await new Promise(setImmediate);
  console.log(label, seen.splice(0).sort());
};

(async () => {
  await ask(dns, 'resolve4', 'a.test');
  await flush('nobody watches');
  observer.observe({ entryTypes: ['dns'] });
  await ask(dns, 'resolve4', 'a.test');
  await ask(dns, 'resolve4', 'a.test', { ttl: true });
  await flush('resolve4');
  for (const [method, name] of [
    ['resolve6', 'a.test'], ['resolveMx', 'mx.test'], ['resolveNs', 'ns.test'], ['resolveTxt', 'txt.test'],
    ['resolveSrv', 'srv.test'], ['resolveSoa', 'soa.test'], ['resolveCaa', 'caa.test'], ['resolveCname', 'www.test'],
    ['resolvePtr', 'ptr.test'], ['resolveNaptr', 'naptr.test'], ['resolveAny', 'any.test'], ['reverse', '192.0.2.1'],
  ]) {
    await ask(dns, method, name);
    await flush(method);
  }
  await dns.promises.resolve4('a.test');
  await dns.promises.resolve('mx.test', 'MX');
  await flush('promises');
  const resolver = new dns.Resolver();
  resolver.setServers([server]);
  await ask(resolver, 'resolve', 'txt.test', 'TXT');
  await flush('Resolver');
  await ask(dns, 'resolve4', 'missing.test');
  await dns.promises.resolve4('servfail.test').catch((error) => console.log(error.code));
  await flush('errors');
  observer.disconnect();
  await ask(dns, 'resolve4', 'a.test');
  await flush('disconnected');
})();
