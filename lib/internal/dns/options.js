'use strict';

// Validation of the options of dns.lookup() and dns.promises.lookup(), and the default result order.

const { ERR_INVALID_ARG_VALUE } = require('internal/errors').codes;
const { getFlag } = require('internal/options');
const {
  validateBoolean,
  validateNumber,
  validateOneOf,
} = require('internal/validators');

// glibc's AI_V4MAPPED, AI_ALL and AI_ADDRCONFIG.
const V4MAPPED = 8;
const ALL = 16;
const ADDRCONFIG = 32;

const families = [0, 4, 6];
const orders = ['verbatim', 'ipv4first', 'ipv6first'];

let defaultOrder;

function getDefaultResultOrder() {
  return (defaultOrder ??= getFlag('dns-result-order') ?? 'verbatim');
}

function setDefaultResultOrder(value) {
  validateOneOf(value, 'dnsOrder', orders);
  defaultOrder = value;
}

// Rejects bits other than those that are passed to the system's resolver.
function validateHints(hints) {
  if ((hints & ~(ADDRCONFIG | ALL | V4MAPPED)) !== 0) throw new ERR_INVALID_ARG_VALUE('hints', hints);
}

function readFamily(family) {
  if (family === 'IPv4') return 4;
  if (family === 'IPv6') return 6;
  validateOneOf(family, 'options.family', families);
  return family + 0; // Converts -0 to 0.
}

// Converts the options of a look-up to { family, hints, all, order }; a number is the family.
function readLookupOptions(options) {
  const result = { family: 0, hints: 0, all: false, order: getDefaultResultOrder() };
  if (typeof options === 'number') {
    validateOneOf(options, 'family', families);
    result.family = options + 0; // Converts -0 to 0.
    return result;
  }
  if (options === undefined || options === null) return result;
  if (options.hints != null) {
    validateNumber(options.hints, 'options.hints');
    result.hints = options.hints >>> 0;
    validateHints(result.hints);
  }
  if (options.family != null) result.family = readFamily(options.family);
  if (options.all != null) {
    validateBoolean(options.all, 'options.all');
    result.all = options.all;
  }
  if (options.verbatim != null) {
    validateBoolean(options.verbatim, 'options.verbatim');
    result.order = options.verbatim ? 'verbatim' : 'ipv4first';
  }
  if (options.order != null) {
    validateOneOf(options.order, 'options.order', orders);
    result.order = options.order;
  }
  return result;
}

module.exports = {
  ADDRCONFIG,
  ALL,
  V4MAPPED,
  getDefaultResultOrder,
  readLookupOptions,
  setDefaultResultOrder,
};
