'use strict';

// node:dns. The functions are in internal/dns.

const { ObjectDefineProperties, ObjectDefineProperty } = primordials;

const { ADDRCONFIG, ALL, V4MAPPED, getDefaultResultOrder, setDefaultResultOrder } = require('internal/dns/options');
const { Resolver } = require('internal/dns/callback_resolver');
const { bindDefaultResolver } = require('internal/dns/default_resolver');
const { constants } = require('internal/dns/errors');
const { lookup, lookupService } = require('internal/dns/lookup');
const { kCustomPromisifyArgsSymbol } = require('internal/util/promisify');

ObjectDefineProperty(lookup, kCustomPromisifyArgsSymbol, {
  __proto__: null, value: ['address', 'family'], enumerable: false,
});
ObjectDefineProperty(lookupService, kCustomPromisifyArgsSymbol, {
  __proto__: null, value: ['hostname', 'service'], enumerable: false,
});

module.exports = {
  lookup,
  lookupService,
  Resolver,
  getDefaultResultOrder,
  setDefaultResultOrder,
  setServers: undefined,
  ADDRCONFIG,
  ALL,
  V4MAPPED,
  ...constants,
};
module.exports.setServers = bindDefaultResolver(module.exports, Resolver, true);

ObjectDefineProperties(module.exports, {
  promises: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return require('dns/promises');
    },
  },
});
