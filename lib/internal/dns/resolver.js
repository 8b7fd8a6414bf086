'use strict';

// Queries to name servers, shared by both Resolver classes.

const {
  ArrayPrototypeForEach,
  ArrayPrototypePush,
  MathMin,
  NumberParseInt,
  RegExpPrototypeExec,
  Symbol,
  hardenRegExp,
} = primordials;

const {
  codes: { ERR_DNS_SET_SERVERS_FAILED, ERR_INVALID_ARG_VALUE, ERR_INVALID_IP_ADDRESS },
  dnsException,
} = require('internal/errors');
const { codeOf } = require('internal/dns/errors');
const { BadMessage, readAnswers, types } = require('internal/dns/message');
const { isIP } = require('internal/net');
const { beginning, report } = require('internal/perf/watched');
const { validateArray, validateInt32, validateString, validateUint32 } = require('internal/validators');

const binding = internalBinding('dns_resolver');
const { UV_EINVAL } = internalBinding('uv');

const kDefaultPort = 53;
const kLongestTimeout = 2 ** 31 - 1; // c-ares has int.
const bracketed = hardenRegExp(/^\[([^[\]]*)\](?::(\d+))?/);
const withPort = hardenRegExp(/^(.*?)(?::(\d+))?$/);
// Matches names that can be queried: characters of host names, and others if they are escaped as in zone files.
const names = hardenRegExp(/^(?:[A-Za-z0-9\-_./*]|\\\d{3}|\\[^\d\0])*$/);

// Parses a server to [address, port]. Accepts '1.1.1.1', '1.1.1.1:53', '::1' and '[::1]:53'.
function parseServer(server, index) {
  validateString(server, `servers[${index}]`);
  if (isIP(server) !== 0) return [server, kDefaultPort];
  let match = RegExpPrototypeExec(bracketed, server);
  if (match === null || isIP(match[1]) !== 6) {
    match = RegExpPrototypeExec(withPort, server);
    if (match !== null && match[2] === undefined) match = null;
  }
  if (match === null || isIP(match[1]) === 0) throw new ERR_INVALID_IP_ADDRESS(server);
  const port = match[2] === undefined ? kDefaultPort : NumberParseInt(match[2], 10);
  if (port === 0 || port > 65535) throw new ERR_INVALID_IP_ADDRESS(server);
  return [match[1], port];
}

const kNative = Symbol('kNative');

// The native resolver. Created on first use, because creating it reads the system's configuration.
class ChannelWrap {
  #native;
  #timeout;
  #tries;
  #maxTimeout;

  constructor(timeout, tries, maxTimeout) {
    this.#timeout = timeout;
    this.#tries = tries;
    this.#maxTimeout = maxTimeout;
  }

  get [kNative]() {
    if (this.#native === undefined) {
      const made = binding.create(this.#timeout, this.#tries, this.#maxTimeout);
      if (typeof made === 'number') throw dnsException(codeOf(made), 'ares_init_options');
      this.#native = made;
    }
    return this.#native;
  }

  // Returns [address, port, address, port...].
  getServers() {
    return binding.getServers(this[kNative]);
  }

  cancelAll() {
    if (this.#native !== undefined) binding.cancel(this.#native);
  }
}

class ResolverBase {
  constructor(options = undefined) {
    const { timeout = -1, tries = 4, maxTimeout = 0 } = { ...options };
    validateInt32(timeout, 'options.timeout', -1);
    validateInt32(tries, 'options.tries', 1);
    validateUint32(maxTimeout, 'options.maxTimeout');
    this._handle = new ChannelWrap(timeout, tries, MathMin(maxTimeout, kLongestTimeout));
  }

  cancel() {
    this._handle.cancelAll();
  }

  getServers() {
    const flat = this._handle.getServers() || [];
    const servers = [];
    for (let i = 0; i < flat.length; i += 2) {
      const host = flat[i];
      const port = flat[i + 1];
      if (port === '53' || port === '0') {
        ArrayPrototypePush(servers, host);
      } else {
        ArrayPrototypePush(servers, isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`);
      }
    }
    return servers;
  }

  setServers(servers) {
    validateArray(servers, 'servers');
    const flat = [];
    ArrayPrototypeForEach(servers, (server, index) => {
      const { 0: address, 1: port } = parseServer(server, index);
      ArrayPrototypePush(flat, address, port);
    });
    const status = binding.setServers(this._handle[kNative], flat);
    if (status === 0) return;
    const reason = status === -1 ? 'There are pending queries.' : binding.strerror(status);
    throw new ERR_DNS_SET_SERVERS_FAILED(reason, servers);
  }

  setLocalAddress(ipv4, ipv6) {
    validateString(ipv4, 'ipv4');
    if (ipv6 !== undefined) validateString(ipv6, 'ipv6');
    const first = isIP(ipv4);
    const second = ipv6 === undefined ? undefined : isIP(ipv6);
    if (first === 0 || second === 0) throw invalidAddress('Invalid IP address.', ipv4);
    if (first === second) throw invalidAddress(`Cannot specify two IPv${first} addresses.`, ipv6);
    const isSwapped = first === 6;
    binding.setLocalAddress(
      this._handle[kNative], (isSwapped ? ipv6 : ipv4) ?? '', (isSwapped ? ipv4 : ipv6) ?? '');
  }
}

function invalidAddress(message, value) {
  const error = new ERR_INVALID_ARG_VALUE('ip', value);
  error.message = message;
  return error;
}

// Returns the records of the requested type in the form for the program.
function collect(records, type, wantsTtl) {
  const found = [];
  for (let i = 0; i < records.length; i++) {
    const record = records[i];
    if (record.type !== type) continue;
    ArrayPrototypePush(found, wantsTtl ? { address: record.data, ttl: record.ttl } : record.data);
  }
  return found;
}

// The order in which Node lists the record types of an answer to ANY.
const anyOrder = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SRV', 'PTR', 'NAPTR', 'SOA', 'CAA', 'TLSA'];

function collectAny(records) {
  const found = [];
  for (let i = 0; i < anyOrder.length; i++) {
    const type = anyOrder[i];
    for (let j = 0; j < records.length; j++) {
      if (records[j].type === types[type]) ArrayPrototypePush(found, describe(type, records[j]));
    }
  }
  return found;
}

function describe(type, { data, ttl }) {
  switch (type) {
    case 'A': case 'AAAA': return { address: data, ttl, type };
    case 'CNAME': case 'NS': case 'PTR': return { value: data, type };
    case 'TXT': return { entries: data, type };
    default: return { ...data, type };
  }
}

// Returns { code, result }, of which one is undefined.
function interpret(status, message, kind, wantsTtl) {
  if (status !== 0) return { code: codeOf(status), result: undefined };
  let records;
  try {
    records = readAnswers(message);
  } catch (error) {
    if (!(error instanceof BadMessage)) throw error;
    return { code: 'EBADRESP', result: undefined };
  }
  let result;
  switch (kind) {
    case 'ANY':
      result = collectAny(records);
      break;
    case 'CNAME': {
      // The last record in a chain of aliases is the canonical name.
      const chain = collect(records, types.CNAME, false);
      result = chain.length === 0 ? chain : [chain[chain.length - 1]];
      break;
    }
    case 'SOA':
      result = collect(records, types.SOA, false);
      return result.length === 0 ? { code: 'ENODATA', result: undefined } : { code: undefined, result: result[0] };
    default:
      result = collect(records, types[kind], wantsTtl && (kind === 'A' || kind === 'AAAA'));
  }
  return result.length === 0 ? { code: 'ENODATA', result: undefined } : { code: undefined, result };
}

// Starts a query. answer(code, result) is called later; the code is undefined on success. Returns an error if the query
// cannot be sent.
function startQuery(resolver, bindingName, kind, name, wantsTtl, answer) {
  const native = resolver._handle[kNative];
  const start = beginning('dns');
  const done = start === 0 ? answer : (code, result) => {
    if (code === undefined) report('dns', bindingName, start, { host: name, ttl: wantsTtl, result });
    answer(code, result);
  };
  if (kind === 'reverse') {
    const isAddress = isIP(name) !== 0 && binding.reverse(native, name, (status, found) => {
      if (status === 0 && found !== undefined) {
        done(undefined, found);
      } else {
        done(codeOf(status === 0 ? 1 : status));
      }
    });
    return isAddress ? undefined : dnsException(UV_EINVAL, bindingName, name);
  }
  const { toASCII } = require('internal/dns/lookup');
  const ascii = toASCII(name);
  if ((ascii === '' && name !== '') || RegExpPrototypeExec(names, ascii) === null) {
    process.nextTick(done, 'EBADNAME');
    return undefined;
  }
  binding.query(native, ascii, types[kind], (status, message) => {
    const { code, result } = interpret(status, message, kind, wantsTtl);
    done(code, result);
  });
  return undefined;
}

// Methods of both resolver classes: [method, name of the operation in errors, record type].
const methods = [
  ['resolveAny', 'queryAny', 'ANY'],
  ['resolve4', 'queryA', 'A'],
  ['resolve6', 'queryAaaa', 'AAAA'],
  ['resolveCaa', 'queryCaa', 'CAA'],
  ['resolveTlsa', 'queryTlsa', 'TLSA'],
  ['resolveCname', 'queryCname', 'CNAME'],
  ['resolveMx', 'queryMx', 'MX'],
  ['resolveNs', 'queryNs', 'NS'],
  ['resolveTxt', 'queryTxt', 'TXT'],
  ['resolveSrv', 'querySrv', 'SRV'],
  ['resolvePtr', 'queryPtr', 'PTR'],
  ['resolveNaptr', 'queryNaptr', 'NAPTR'],
  ['resolveSoa', 'querySoa', 'SOA'],
  ['reverse', 'getHostByAddr', 'reverse'],
];

module.exports = { ResolverBase, startQuery, methods };
