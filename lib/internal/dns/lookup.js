'use strict';

// Look-ups by the system's resolver, with callbacks and with promises: getaddrinfo and getnameinfo, on the pool.

const {
  ArrayPrototypePush,
  Promise,
  PromiseReject,
  PromiseResolve,
  RegExpPrototypeExec,
  StringPrototypeIncludes,
  hardenRegExp,
} = primordials;

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_MISSING_ARGS },
  dnsException,
} = require('internal/errors');
const { bindCallback } = require('internal/async_hooks');
const { isIP } = require('internal/net');
const { beginning, report } = require('internal/perf/watched');
const { readLookupOptions } = require('internal/dns/options');
const { validateFunction, validatePort, validateString } = require('internal/validators');

const binding = internalBinding('dns');

const ascii = hardenRegExp(/^[\0-\x7f]*$/);

// Returns the name to query: names with characters other than ASCII are converted to Punycode.
function toASCII(hostname) {
  if (RegExpPrototypeExec(ascii, hostname) !== null) return hostname;
  return require('internal/url/host').toASCII(hostname);
}

function validateHostname(hostname) {
  validateString(hostname, 'hostname');
  if (StringPrototypeIncludes(hostname, '\u0000')) {
    throw new ERR_INVALID_ARG_VALUE('hostname', hostname, 'must be a string without null bytes');
  }
}

// Sorts `addresses` in the requested order.
function inOrder(addresses, order) {
  if (order === 'verbatim') return addresses;
  const first = order === 'ipv4first' ? 4 : 6;
  const front = [];
  const back = [];
  for (let i = 0; i < addresses.length; i++) {
    ArrayPrototypePush(addresses[i].family === first ? front : back, addresses[i]);
  }
  for (let i = 0; i < back.length; i++) ArrayPrototypePush(front, back[i]);
  return front;
}

// The return value of lookup(). It exists only because programs may store it.
class GetAddrInfoReqWrap {
  constructor(hostname, family) {
    this.callback = undefined;
    this.family = family;
    this.hostname = hostname;
    this.oncomplete = undefined;
  }
}

class GetNameInfoReqWrap {
  constructor(hostname, port) {
    this.callback = undefined;
    this.hostname = hostname;
    this.port = port;
    this.oncomplete = undefined;
  }
}

function reportLookup(hostname, wanted, start, found) {
  const { family, hints, all, order } = wanted;
  const addresses = [];
  for (let i = 0; i < found.length; i++) ArrayPrototypePush(addresses, all ? found[i] : found[i].address);
  report('dns', 'lookup', start, { hostname, family, hints, verbatim: order === 'verbatim', order, addresses });
}

function onlookup(hostname, wanted, callback, start, errno, addresses) {
  if (errno !== 0) return callback(dnsException(errno, 'getaddrinfo', hostname));
  // The name may have addresses, but none of the requested family.
  if (addresses.length === 0) return callback(dnsException('ENOTFOUND', 'getaddrinfo', hostname));
  addresses = inOrder(addresses, wanted.order);
  if (start !== 0) reportLookup(hostname, wanted, start, addresses);
  if (wanted.all) return callback(null, addresses);
  return callback(null, addresses[0].address, addresses[0].family);
}

// Starts a look-up with validated options. `callback` receives (error, address, family) or (error, addresses).
function startLookup(hostname, wanted, callback) {
  const bound = bindCallback('GETADDRINFOREQWRAP', callback);
  const start = beginning('dns');
  binding.getaddrinfo(toASCII(hostname), wanted.family, wanted.hints,
    (errno, addresses) => onlookup(hostname, wanted, bound, start, errno, addresses));
}

function lookup(hostname, options, callback) {
  if (hostname) validateHostname(hostname);
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  } else if (options !== undefined && typeof options !== 'object' && typeof options !== 'number') {
    validateFunction(arguments.length === 2 ? options : callback, 'callback');
    throw new ERR_INVALID_ARG_TYPE('options', ['integer', 'object'], options);
  } else {
    validateFunction(callback, 'callback');
  }
  const wanted = readLookupOptions(options);
  if (!hostname) throw new ERR_INVALID_ARG_VALUE('hostname', hostname, 'must be a non-empty string');
  const family = isIP(hostname);
  if (family !== 0) {
    if (wanted.all) {
      process.nextTick(callback, null, [{ address: hostname, family }]);
    } else {
      process.nextTick(callback, null, hostname, family);
    }
    return {};
  }
  const request = new GetAddrInfoReqWrap(hostname, wanted.family);
  request.callback = callback;
  request.oncomplete = onlookup;
  startLookup(hostname, wanted, callback);
  return request;
}

function lookupPromise(hostname, options) {
  if (hostname) validateHostname(hostname);
  if (options !== undefined && options !== null && typeof options !== 'object' && typeof options !== 'number') {
    throw new ERR_INVALID_ARG_TYPE('options', ['integer', 'object'], options);
  }
  const wanted = readLookupOptions(options);
  if (!hostname) return PromiseReject(new ERR_INVALID_ARG_VALUE('hostname', hostname, 'must be a non-empty string'));
  const family = isIP(hostname);
  if (family !== 0) {
    const found = { address: hostname, family };
    return PromiseResolve(wanted.all ? [found] : found);
  }
  return new Promise((resolve, reject) => {
    startLookup(hostname, wanted, (error, address, itsFamily) => {
      if (error !== null) {
        reject(error);
      } else {
        resolve(wanted.all ? address : { address, family: itsFamily });
      }
    });
  });
}

function onlookupservice(address, port, callback, start, errno, hostname, service) {
  if (errno !== 0) return callback(dnsException(errno, 'getnameinfo', address));
  if (start !== 0) report('dns', 'lookupService', start, { host: address, port, hostname, service });
  return callback(null, hostname, service);
}

// Starts a query. Returns the error if it cannot be started, otherwise undefined.
function startLookupService(address, port, callback) {
  const bound = bindCallback('GETNAMEINFOREQWRAP', callback);
  const start = beginning('dns');
  const errno = binding.getnameinfo(address, port, (failed, hostname, service) =>
    onlookupservice(address, port, bound, start, failed, hostname, service));
  return errno === 0 ? undefined : dnsException(errno, 'getnameinfo', address);
}

function lookupService(address, port, callback) {
  if (arguments.length !== 3) throw new ERR_MISSING_ARGS('address', 'port', 'callback');
  validateString(address, 'address');
  if (isIP(address) === 0) throw new ERR_INVALID_ARG_VALUE('address', address);
  validatePort(port);
  validateFunction(callback, 'callback');
  port = +port + 0; // Converts -0 to 0.
  const request = new GetNameInfoReqWrap(address, port);
  request.callback = callback;
  request.oncomplete = onlookupservice;
  const error = startLookupService(address, port, callback);
  if (error !== undefined) throw error;
  return request;
}

function lookupServicePromise(address, port) {
  if (arguments.length !== 2) throw new ERR_MISSING_ARGS('address', 'port');
  validateString(address, 'address');
  if (isIP(address) === 0) throw new ERR_INVALID_ARG_VALUE('address', address);
  validatePort(port);
  return new Promise((resolve, reject) => {
    const failed = startLookupService(address, +port + 0, (error, hostname, service) => {
      if (error !== null) {
        reject(error);
      } else {
        resolve({ hostname, service });
      }
    });
    if (failed !== undefined) reject(failed);
  });
}

module.exports = { lookup, lookupPromise, lookupService, lookupServicePromise, toASCII };
