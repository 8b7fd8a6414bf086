'use strict';
// With a virtual clock a server that does not answer takes its real timeout, not days.
const dns = require('node:dns');
const resolver = new dns.Resolver({ timeout: 100, tries: 2 });
resolver.setServers([process.argv[2]]);
const begin = Date.now();
resolver.resolve4('silent.test', (error) => {
  const took = Date.now() - begin;
  console.log(error.code, took >= 100, took < 86400000);
  resolver.resolve4('case.test', (next, found) => console.log(found));
});
