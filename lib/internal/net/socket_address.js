'use strict';
// net.SocketAddress, and IP addresses as numbers: eight groups of 16 bits, in which an IPv4 address is the IPv6 address
// that stands for it.

const {
  ArrayPrototypePush,
  NumberParseInt,
  NumberPrototypeToString,
  ObjectFreeze,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  StringPrototypeSplit,
  StringPrototypeToLowerCase,
} = primordials;

const { HostObject, kClone } = require('internal/structured_clone');
const { codes: { ERR_INVALID_ADDRESS, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { customInspectSymbol, kEmptyObject } = require('internal/util');
const { inspect } = require('internal/util/inspect');
const { isIPv4, isIPv6 } = require('internal/net');
const { validateObject, validatePort, validateString, validateUint32 } = require('internal/validators');

const kMapped = 0xffff;

function groupsOfIPv4(text) {
  const parts = StringPrototypeSplit(text, '.');
  const high = NumberParseInt(parts[0], 10) * 256 + NumberParseInt(parts[1], 10);
  const low = NumberParseInt(parts[2], 10) * 256 + NumberParseInt(parts[3], 10);
  return [high, low];
}

function readGroups(text, result) {
  if (text === '') return;
  const parts = StringPrototypeSplit(text, ':');
  for (let i = 0; i < parts.length; i++) {
    if (StringPrototypeIndexOf(parts[i], '.') === -1) {
      ArrayPrototypePush(result, NumberParseInt(parts[i], 16));
    } else {
      const pair = groupsOfIPv4(parts[i]);
      ArrayPrototypePush(result, pair[0]);
      ArrayPrototypePush(result, pair[1]);
    }
  }
}

// `text` is known to be an address of that family.
function groupsOf(text, isV6) {
  if (!isV6) {
    const pair = groupsOfIPv4(text);
    return [0, 0, 0, 0, 0, kMapped, pair[0], pair[1]];
  }
  const percent = StringPrototypeIndexOf(text, '%');
  if (percent !== -1) text = StringPrototypeSlice(text, 0, percent);
  const gap = StringPrototypeIndexOf(text, '::');
  const groups = [];
  if (gap === -1) {
    readGroups(text, groups);
    return groups;
  }
  const after = [];
  readGroups(StringPrototypeSlice(text, 0, gap), groups);
  readGroups(StringPrototypeSlice(text, gap + 2), after);
  while (groups.length + after.length < 8) ArrayPrototypePush(groups, 0);
  for (let i = 0; i < after.length; i++) ArrayPrototypePush(groups, after[i]);
  return groups;
}

function textOfIPv4(groups) {
  return `${groups[6] >> 8}.${groups[6] & 255}.${groups[7] >> 8}.${groups[7] & 255}`;
}

// As inet_ntop(3) writes it: the longest run of zeros is left out, and some addresses end as IPv4's do.
function textOfIPv6(groups) {
  let start = -1;
  let length = 1;
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && groups[end] === 0) end++;
    if (end - i > length) {
      start = i;
      length = end - i;
    }
    if (end > i) i = end - 1;
  }
  const endsAsIPv4 = start === 0 &&
    (length === 6 || (length === 7 && groups[7] !== 1) || (length === 5 && groups[5] === kMapped));
  let text = '';
  for (let i = 0; i < 8; i++) {
    if (i === start) {
      text += '::';
      i += length - 1;
      continue;
    }
    if (i > 0 && i !== start + length) text += ':';
    if (i === 6 && endsAsIPv4) return text + textOfIPv4(groups);
    text += NumberPrototypeToString(groups[i], 16);
  }
  return text;
}

class SocketAddress extends HostObject {
  #groups;
  #isV6;
  #port;
  #flowlabel;
  #text;

  static isSocketAddress(value) {
    return typeof value === 'object' && value !== null && #groups in value;
  }

  constructor(options = kEmptyObject) {
    validateObject(options, 'options');
    let { family = 'ipv4' } = options;
    const { address = family === 'ipv4' ? '127.0.0.1' : '::', port = 0, flowlabel = 0 } = options;
    if (typeof family === 'string') family = StringPrototypeToLowerCase(family);
    if (family !== 'ipv4' && family !== 'ipv6') throw new ERR_INVALID_ARG_VALUE('options.family', options.family);
    validateString(address, 'options.address');
    validatePort(port, 'options.port');
    validateUint32(flowlabel, 'options.flowlabel', false);
    super();
    this.#isV6 = family === 'ipv6';
    if (!(this.#isV6 ? isIPv6(address) : isIPv4(address))) throw new ERR_INVALID_ADDRESS();
    this.#groups = ObjectFreeze(groupsOf(address, this.#isV6));
    this.#text = this.#isV6 ? textOfIPv6(this.#groups) : textOfIPv4(this.#groups);
    this.#port = port | 0;
    this.#flowlabel = flowlabel;
  }

  // An address with an optional port: 1.2.3.4, 1.2.3.4:80, [::1]:80. Undefined if it is none.
  static parse(input) {
    validateString(input, 'input');
    const url = require('internal/url').URL.parse(`http://${input}`);
    if (url === null) return undefined;
    const isV6 = url.hostname[0] === '[';
    const address = isV6 ? StringPrototypeSlice(url.hostname, 1, -1) : url.hostname;
    try {
      return new SocketAddress({ address, port: +url.port, family: isV6 ? 'ipv6' : 'ipv4' });
    } catch {
      return undefined;
    }
  }

  [kClone]() {
    return { id: 'internal/net/socket_address', data: this.toJSON() };
  }

  get address() {
    return this.#text;
  }

  get port() {
    return this.#port;
  }

  get family() {
    return this.#isV6 ? 'ipv6' : 'ipv4';
  }

  get flowlabel() {
    // Only IPv6 has one.
    return this.#isV6 ? this.#flowlabel : 0;
  }

  // For BlockList.
  static groupsOf(value) {
    return value.#groups;
  }

  [customInspectSymbol](depth, options) {
    if (depth < 0) return this;
    const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    return `SocketAddress ${inspect(this.toJSON(), inner)}`;
  }

  toJSON() {
    return { address: this.address, port: this.port, family: this.family, flowlabel: this.flowlabel };
  }
}

// Not for users.
const { groupsOf: groupsOfAddress } = SocketAddress;
delete SocketAddress.groupsOf;

function readClone(data) {
  return new SocketAddress(data);
}

module.exports = { SocketAddress, groupsOfAddress, readClone };
