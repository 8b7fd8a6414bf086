'use strict';

// dns.Resolver: the resolver with callbacks.

const { Boolean, FunctionPrototypeCall, ObjectDefineProperty } = primordials;

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE },
  dnsException,
} = require('internal/errors');
const { bindCallback } = require('internal/async_hooks');
const { ResolverBase, startQuery, methods } = require('internal/dns/resolver');
const { validateFunction, validateString } = require('internal/validators');

class Resolver extends ResolverBase {}

// The return value of the resolver's methods. It exists only because programs may store it.
class QueryReqWrap {
  constructor(bindingName, callback, hostname, ttl) {
    this.bindingName = bindingName;
    this.callback = callback;
    this.hostname = hostname;
    this.oncomplete = onresolve;
    this.ttl = ttl;
  }
}

function onresolve(callback, bindingName, name, code, result) {
  if (code !== undefined) return callback(dnsException(code, bindingName, name));
  return callback(null, result);
}

const byType = { __proto__: null };

function makeMethod(bindingName, kind) {
  function query(name, callback) {
    let options;
    if (arguments.length > 2) {
      options = callback;
      callback = arguments[2];
    }
    validateString(name, 'name');
    validateFunction(callback, 'callback');
    const ttl = Boolean(options && options.ttl);
    const bound = bindCallback('QUERYWRAP', callback);
    const error = startQuery(this, bindingName, kind, name, ttl, (code, result) =>
      onresolve(bound, bindingName, name, code, result));
    if (error !== undefined) throw error;
    return new QueryReqWrap(bindingName, callback, name, ttl);
  }
  ObjectDefineProperty(query, 'name', { __proto__: null, value: bindingName, configurable: true });
  return query;
}

for (let i = 0; i < methods.length; i++) {
  const { 0: method, 1: bindingName, 2: kind } = methods[i];
  Resolver.prototype[method] = makeMethod(bindingName, kind);
  if (kind !== 'reverse') byType[kind] = Resolver.prototype[method];
}

Resolver.prototype.resolve = function resolve(hostname, rrtype, callback) {
  let method;
  if (typeof rrtype === 'string') {
    method = byType[rrtype];
  } else if (typeof rrtype === 'function') {
    method = byType.A;
    callback = rrtype;
  } else {
    throw new ERR_INVALID_ARG_TYPE('rrtype', 'string', rrtype);
  }
  if (method === undefined) throw new ERR_INVALID_ARG_VALUE('rrtype', rrtype);
  return FunctionPrototypeCall(method, this, hostname, callback);
};

module.exports = { Resolver };
