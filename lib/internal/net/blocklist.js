'use strict';
// net.BlockList: rules about addresses. Addresses are listed before subnets, and those before ranges; the newest first.

const {
  ArrayIsArray,
  ArrayPrototypePush,
  ArrayPrototypeSplice,
  ArrayPrototypeUnshift,
  JSONParse,
  MathMin,
  NumberParseInt,
  ObjectFreeze,
  RegExp,
  RegExpPrototypeExec,
  StringPrototypeIncludes,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
} = primordials;

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { customInspectSymbol } = require('internal/util');
const { inspect } = require('internal/util/inspect');
const { HostObject, kClone } = require('internal/structured_clone');
const { SocketAddress, groupsOfAddress } = require('internal/net/socket_address');
const { validateArray, validateInt32, validateString } = require('internal/validators');

function toAddress(value, family, name) {
  if (SocketAddress.isSocketAddress(value)) return value;
  validateString(value, name);
  validateString(family, 'family');
  return new SocketAddress({ address: value, family });
}

function compare(left, right) {
  for (let i = 0; i < 8; i++) {
    if (left[i] !== right[i]) return left[i] - right[i];
  }
  return 0;
}

function haveSamePrefix(left, right, bits) {
  for (let i = 0; bits > 0; i++, bits -= 16) {
    const shift = 16 - MathMin(bits, 16);
    if (left[i] >> shift !== right[i] >> shift) return false;
  }
  return true;
}

function familyName(address) {
  return address.family === 'ipv4' ? 'IPv4' : 'IPv6';
}

function addressRule(address) {
  const groups = groupsOfAddress(address);
  return {
    text: `Address: ${familyName(address)} ${address.address}`,
    isMet: (other) => compare(other, groups) === 0,
  };
}

function rangeRule(start, end) {
  const first = groupsOfAddress(start);
  const last = groupsOfAddress(end);
  return {
    text: `Range: ${familyName(start)} ${start.address}-${end.address}`,
    isEmpty: compare(first, last) > 0,
    isMet: (other) => compare(first, other) <= 0 && compare(other, last) <= 0,
  };
}

function subnetRule(network, prefix) {
  const isV4 = network.family === 'ipv4';
  validateInt32(prefix, 'prefix', 0, isV4 ? 32 : 128);
  const groups = groupsOfAddress(network);
  const bits = isV4 ? prefix + 96 : prefix;
  return {
    // Not "-0".
    text: `Subnet: ${familyName(network)} ${network.address}/${prefix + 0}`,
    isMet: (other) => haveSamePrefix(groups, other, bits),
  };
}

function cidrRule(cidr, name = 'cidr') {
  validateString(cidr, name);
  const slash = StringPrototypeIndexOf(cidr, '/');
  if (slash === -1) throw new ERR_INVALID_ARG_VALUE(name, cidr, 'must contain a prefix length (e.g. "10.0.0.0/8")');
  const address = StringPrototypeSlice(cidr, 0, slash);
  const prefix = StringPrototypeSlice(cidr, slash + 1);
  if (RegExpPrototypeExec(/^\d+$/, prefix) === null) {
    throw new ERR_INVALID_ARG_VALUE(name, cidr, 'must contain a valid prefix length');
  }
  const family = StringPrototypeIncludes(address, ':') ? 'ipv6' : 'ipv4';
  return subnetRule(new SocketAddress({ address, family }), NumberParseInt(prefix, 10));
}

// A rule is in a list once.
function add(list, rule) {
  if (indexOf(list, rule) === -1) ArrayPrototypeUnshift(list, rule);
}

function remove(list, rule) {
  const index = indexOf(list, rule);
  if (index !== -1) ArrayPrototypeSplice(list, index, 1);
}

function indexOf(list, { text }) {
  for (let i = 0; i < list.length; i++) {
    if (list[i].text === text) return i;
  }
  return -1;
}

const v4 = '\\d{1,3}(?:\\.\\d{1,3}){3}';
const v6 = '[0-9a-fA-F:]{1,39}';
const rulePatterns = [
  { family: 'ipv4', pattern: new RegExp(`(Subnet|Address|Range): IPv4 (${v4})(?:/(\\d{1,2})|-(${v4}))?`) },
  { family: 'ipv6', pattern: new RegExp(`(Subnet|Address|Range): IPv6 (${v6})(?:/(\\d{1,3})|-(${v6}))?`, 'i') },
];

function checkData(data) {
  let list = data;
  if (typeof data === 'string') list = JSONParse(data);
  if (!ArrayIsArray(list)) throw new ERR_INVALID_ARG_TYPE('data', ['string', 'string[]'], list);
  for (let i = 0; i < list.length; i++) {
    if (typeof list[i] !== 'string') throw new ERR_INVALID_ARG_TYPE('data', ['string', 'string[]'], list);
  }
  return list;
}

class BlockList extends HostObject {
  #addresses = [];
  #subnets = [];
  #ranges = [];

  static isBlockList(value) {
    return typeof value === 'object' && value !== null && #addresses in value;
  }

  addAddress(address, family = 'ipv4') {
    add(this.#addresses, addressRule(toAddress(address, family, 'address')));
  }

  addAddresses(addresses, family = 'ipv4') {
    validateArray(addresses, 'addresses');
    for (let i = 0; i < addresses.length; i++) {
      add(this.#addresses, addressRule(toAddress(addresses[i], family, `addresses[${i}]`)));
    }
  }

  addRange(start, end, family = 'ipv4') {
    start = toAddress(start, family, 'start');
    end = toAddress(end, family, 'end');
    const rule = rangeRule(start, end);
    if (rule.isEmpty) throw new ERR_INVALID_ARG_VALUE('start', start, 'must come before end');
    add(this.#ranges, rule);
  }

  addSubnet(network, prefix, family = 'ipv4') {
    add(this.#subnets, subnetRule(toAddress(network, family, 'network'), prefix));
  }

  addCIDR(cidr) {
    add(this.#subnets, cidrRule(cidr));
  }

  addCIDRs(cidrs) {
    validateArray(cidrs, 'cidrs');
    for (let i = 0; i < cidrs.length; i++) add(this.#subnets, cidrRule(cidrs[i], `cidrs[${i}]`));
  }

  removeAddress(address, family = 'ipv4') {
    remove(this.#addresses, addressRule(toAddress(address, family, 'address')));
  }

  removeRange(start, end, family = 'ipv4') {
    remove(this.#ranges, rangeRule(toAddress(start, family, 'start'), toAddress(end, family, 'end')));
  }

  removeSubnet(network, prefix, family = 'ipv4') {
    remove(this.#subnets, subnetRule(toAddress(network, family, 'network'), prefix));
  }

  removeCIDR(cidr) {
    remove(this.#subnets, cidrRule(cidr));
  }

  check(address, family = 'ipv4') {
    if (!SocketAddress.isSocketAddress(address)) {
      validateString(address, 'address');
      validateString(family, 'family');
      try {
        address = new SocketAddress({ address, family });
      } catch {
        // What is no address is in no list.
        return false;
      }
    }
    const groups = groupsOfAddress(address);
    const isMet = (rules) => {
      for (let i = 0; i < rules.length; i++) {
        if (rules[i].isMet(groups)) return true;
      }
      return false;
    };
    return isMet(this.#addresses) || isMet(this.#subnets) || isMet(this.#ranges);
  }

  clear() {
    this.#addresses = [];
    this.#subnets = [];
    this.#ranges = [];
  }

  toJSON() {
    return this.rules;
  }

  // Texts that are no rules are passed over.
  fromJSON(data) {
    const list = checkData(data);
    for (let i = 0; i < list.length; i++) {
      for (let j = 0; j < rulePatterns.length; j++) {
        const { family, pattern } = rulePatterns[j];
        const match = RegExpPrototypeExec(pattern, list[i]);
        if (match === null) continue;
        const { 1: kind, 2: address, 3: prefix, 4: end } = match;
        if (kind === 'Subnet' && prefix !== undefined) this.addSubnet(address, NumberParseInt(prefix, 10), family);
        else if (kind === 'Range' && end !== undefined) this.addRange(address, end, family);
        else if (kind === 'Address') this.addAddress(address, family);
      }
    }
  }

  get rules() {
    const texts = [];
    const addTexts = (rules) => {
      for (let i = 0; i < rules.length; i++) ArrayPrototypePush(texts, rules[i].text);
    };
    addTexts(this.#addresses);
    addTexts(this.#subnets);
    addTexts(this.#ranges);
    return texts;
  }

  get size() {
    return this.#addresses.length + this.#subnets.length + this.#ranges.length;
  }

  [kClone]() {
    return { id: 'internal/net/blocklist', data: this.rules };
  }

  [customInspectSymbol](depth, options) {
    if (depth < 0) return this;
    const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    return `BlockList ${inspect({ rules: this.rules }, inner)}`;
  }
}
BlockList.PRIVATE_RANGES = ObjectFreeze([
  '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8', '::1/128', '169.254.0.0/16', 'fe80::/10', 'fc00::/7',
]);

function readClone(rules) {
  const list = new BlockList();
  for (let i = rules.length - 1; i >= 0; i--) list.fromJSON([rules[i]]);
  return list;
}

module.exports = { BlockList, readClone };
