'use strict';

// node:dns/promises.

const { bindDefaultResolver } = require('internal/dns/default_resolver');
const { constants } = require('internal/dns/errors');
const { lookupPromise, lookupServicePromise } = require('internal/dns/lookup');
const { getDefaultResultOrder, setDefaultResultOrder } = require('internal/dns/options');
const { Resolver } = require('internal/dns/promise_resolver');

module.exports = {
  lookup: lookupPromise,
  lookupService: lookupServicePromise,
  Resolver,
  getDefaultResultOrder,
  setDefaultResultOrder,
  setServers: undefined,
  ...constants,
};
module.exports.setServers = bindDefaultResolver(module.exports, Resolver, false);
