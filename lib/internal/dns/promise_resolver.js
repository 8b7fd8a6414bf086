'use strict';

// dns.promises.Resolver: the resolver with promises.

const { Boolean, FunctionPrototypeCall, ObjectDefineProperty, Promise } = primordials;

const { codes: { ERR_INVALID_ARG_VALUE }, dnsException } = require('internal/errors');
const { ResolverBase, startQuery, methods } = require('internal/dns/resolver');
const { validateString } = require('internal/validators');

class Resolver extends ResolverBase {}

const byType = { __proto__: null };

function makeMethod(bindingName, kind) {
  function query(name, options) {
    validateString(name, 'name');
    const ttl = Boolean(options && options.ttl);
    return new Promise((resolve, reject) => {
      const failed = startQuery(this, bindingName, kind, name, ttl, (code, result) => {
        if (code === undefined) {
          resolve(result);
        } else {
          reject(dnsException(code, bindingName, name));
        }
      });
      if (failed !== undefined) reject(failed);
    });
  }
  ObjectDefineProperty(query, 'name', { __proto__: null, value: bindingName, configurable: true });
  return query;
}

for (let i = 0; i < methods.length; i++) {
  const { 0: method, 1: bindingName, 2: kind } = methods[i];
  Resolver.prototype[method] = makeMethod(bindingName, kind);
  if (kind !== 'reverse') byType[kind] = Resolver.prototype[method];
}

Resolver.prototype.resolve = function resolve(hostname, rrtype) {
  let method = byType.A;
  if (rrtype !== undefined) {
    validateString(rrtype, 'rrtype');
    method = byType[rrtype];
    if (method === undefined) throw new ERR_INVALID_ARG_VALUE('rrtype', rrtype);
  }
  return FunctionPrototypeCall(method, this, hostname);
};

module.exports = { Resolver };
