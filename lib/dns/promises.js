'use strict';

// The module `dns/promises`.

const { getDefaultResultOrder, setDefaultResultOrder } = require('internal/dns/options');
const { lookupPromise, lookupServicePromise } = require('internal/dns/lookup');

module.exports = {
  lookup: lookupPromise,
  lookupService: lookupServicePromise,
  getDefaultResultOrder,
  setDefaultResultOrder,
};
