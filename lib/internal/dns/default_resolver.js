'use strict';

// The resolvers behind the functions of `dns` and of `dns/promises`. setServers() replaces them, so that questions
// which are asked keep the one they were asked of: the first module's replaces both, the second's only its own.

const { ArrayPrototypePush, FunctionPrototypeBind } = primordials;

// In the order in which Node lists them.
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

// Gives a module the functions, and returns its setServers().
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
