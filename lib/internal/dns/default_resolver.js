'use strict';

// The default resolvers of `dns` and `dns/promises`. setServers() replaces them, so that queries in flight keep their
// resolver. dns.setServers() replaces both, dns.promises.setServers() only its own.

const { ArrayPrototypePush, FunctionPrototypeBind } = primordials;

// The order is that of Node.
const names = [
  'getServers', 'resolve', 'resolve4', 'resolve6', 'resolveAny', 'resolveCaa', 'resolveCname', 'resolveMx',
  'resolveNaptr', 'resolveNs', 'resolvePtr', 'resolveSoa', 'resolveSrv', 'resolveTlsa', 'resolveTxt', 'reverse',
];

// { exports, Resolver } of the modules that are loaded.
const loaded = [];
// The last argument of dns.setServers().
let servers;

function bind({ exports, Resolver }, list) {
  const resolver = new Resolver();
  if (list !== undefined) resolver.setServers(list);
  for (let i = 0; i < names.length; i++) exports[names[i]] = FunctionPrototypeBind(resolver[names[i]], resolver);
}

// Adds the resolver's functions to a module, and returns the module's setServers().
function bindDefaultResolver(exports, Resolver, isForAll) {
  const own = { exports, Resolver };
  ArrayPrototypePush(loaded, own);
  bind(own, servers);
  return function defaultResolverSetServers(list) {
    const checked = new Resolver();
    checked.setServers(list);
    const copy = checked.getServers();
    if (!isForAll) return bind(own, copy);
    servers = copy;
    for (let i = 0; i < loaded.length; i++) bind(loaded[i], copy);
    return undefined;
  };
}

module.exports = { bindDefaultResolver };
