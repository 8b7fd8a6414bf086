'use strict';
// net.BlockList: rules about addresses. Addresses are listed before subnets, and those before ranges; the newest first.
// Clones share their rules, in whatever threads they are.

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
  StringPrototypeSplit,
} = primordials;

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { customInspectSymbol } = require('internal/util');
const { inspect } = require('internal/util/inspect');
const { HostObject, kClone } = require('internal/structured_clone');
const { SocketAddress, groupsOfAddress } = require('internal/net/socket_address');
const { validateArray, validateInt32, validateString } = require('internal/validators');

const shared = internalBinding('shared_text');

const kAddresses = 0;
const kSubnets = 1;
const kRanges = 2;

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
    list: kAddresses,
    code: `${kAddresses} ${address.family} ${address.address}`,
    text: `Address: ${familyName(address)} ${address.address}`,
    isMet: (other) => compare(other, groups) === 0,
  };
}

function rangeRule(start, end) {
  const first = groupsOfAddress(start);
  const last = groupsOfAddress(end);
  return {
    list: kRanges,
    code: `${kRanges} ${start.family} ${start.address} ${end.address}`,
    text: `Range: ${familyName(start)} ${start.address}-${end.address}`,
    isEmpty: compare(first, last) > 0,
    isMet: (other) => compare(first, other) <= 0 && compare(other, last) <= 0,
  };
}

function checkedRange(start, end) {
  const rule = rangeRule(start, end);
  if (rule.isEmpty) throw new ERR_INVALID_ARG_VALUE('start', start, 'must come before end');
  return rule;
}

function subnetRule(network, prefix) {
  const isV4 = network.family === 'ipv4';
  validateInt32(prefix, 'prefix', 0, isV4 ? 32 : 128);
  const groups = groupsOfAddress(network);
  const bits = isV4 ? prefix + 96 : prefix;
  return {
    list: kSubnets,
    code: `${kSubnets} ${network.family} ${network.address} ${prefix + 0}`,
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

function makeRule(list, family, address, extra) {
  const first = new SocketAddress({ address, family });
  if (list === kAddresses) return addressRule(first);
  return list === kSubnets ? subnetRule(first, extra) :
    checkedRange(first, new SocketAddress({ address: extra, family }));
}

// The rule that a text such as 'Subnet: IPv4 10.0.0.0/8' stands for; undefined for others.
function ruleOf(text) {
  for (let i = 0; i < rulePatterns.length; i++) {
    const { family, pattern } = rulePatterns[i];
    const match = RegExpPrototypeExec(pattern, text);
    if (match === null) continue;
    const { 1: kind, 2: address, 3: prefix, 4: end } = match;
    if (kind === 'Subnet' && prefix !== undefined) {
      return makeRule(kSubnets, family, address, NumberParseInt(prefix, 10));
    }
    if (kind === 'Range' && end !== undefined) return makeRule(kRanges, family, address, end);
    if (kind === 'Address') return makeRule(kAddresses, family, address);
  }
  return undefined;
}

let makeShared;

class BlockList extends HostObject {
  #addresses = [];
  #subnets = [];
  #ranges = [];
  // Of a list that was cloned: the rules of all clones, and their version that the arrays above hold.
  #shared;
  #version = 0;

  static isBlockList(value) {
    return typeof value === 'object' && value !== null && #addresses in value;
  }

  // Applies the changes made by other clones.
  #update() {
    if (this.#shared === undefined) return;
    const news = shared.read(this.#shared, this.#version);
    if (news === undefined) return;
    this.#empty();
    this.#version = news[0];
    const codes = StringPrototypeSplit(news[1], '\n');
    for (let i = 0; i < codes.length - 1; i++) {
      const { 0: list, 1: family, 2: address, 3: extra } = StringPrototypeSplit(codes[i], ' ');
      const rule = makeRule(+list, family, address, +list === kSubnets ? +extra : extra);
      ArrayPrototypePush(this.#listOf(rule), rule);
    }
  }

  // Runs `operation`, which changes the arrays, for all clones. If another one was faster it is run again.
  #change(operation) {
    if (this.#shared === undefined) {
      operation();
      return;
    }
    for (;;) {
      this.#update();
      operation();
      this.#version = shared.replace(this.#shared, this.#version, this.#serialize());
      if (this.#version !== 0) return;
    }
  }

  #add(rule) {
    this.#change(() => add(this.#listOf(rule), rule));
  }

  #remove(rule) {
    this.#change(() => remove(this.#listOf(rule), rule));
  }

  #listOf({ list }) {
    return list === kAddresses ? this.#addresses : list === kSubnets ? this.#subnets : this.#ranges;
  }

  #empty() {
    this.#addresses = [];
    this.#subnets = [];
    this.#ranges = [];
  }

  addAddress(address, family = 'ipv4') {
    this.#add(addressRule(toAddress(address, family, 'address')));
  }

  addAddresses(addresses, family = 'ipv4') {
    validateArray(addresses, 'addresses');
    for (let i = 0; i < addresses.length; i++) {
      this.#add(addressRule(toAddress(addresses[i], family, `addresses[${i}]`)));
    }
  }

  addRange(start, end, family = 'ipv4') {
    start = toAddress(start, family, 'start');
    end = toAddress(end, family, 'end');
    this.#add(checkedRange(start, end));
  }

  addSubnet(network, prefix, family = 'ipv4') {
    this.#add(subnetRule(toAddress(network, family, 'network'), prefix));
  }

  addCIDR(cidr) {
    this.#add(cidrRule(cidr));
  }

  addCIDRs(cidrs) {
    validateArray(cidrs, 'cidrs');
    for (let i = 0; i < cidrs.length; i++) this.#add(cidrRule(cidrs[i], `cidrs[${i}]`));
  }

  removeAddress(address, family = 'ipv4') {
    this.#remove(addressRule(toAddress(address, family, 'address')));
  }

  removeRange(start, end, family = 'ipv4') {
    this.#remove(rangeRule(toAddress(start, family, 'start'), toAddress(end, family, 'end')));
  }

  removeSubnet(network, prefix, family = 'ipv4') {
    this.#remove(subnetRule(toAddress(network, family, 'network'), prefix));
  }

  removeCIDR(cidr) {
    this.#remove(cidrRule(cidr));
  }

  check(address, family = 'ipv4') {
    if (!SocketAddress.isSocketAddress(address)) {
      validateString(address, 'address');
      validateString(family, 'family');
      try {
        address = new SocketAddress({ address, family });
      } catch {
        // An invalid address is in no list.
        return false;
      }
    }
    this.#update();
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
    this.#change(() => this.#empty());
  }

  toJSON() {
    return this.rules;
  }

  // Texts that are no rules are passed over.
  fromJSON(data) {
    const list = checkData(data);
    for (let i = 0; i < list.length; i++) {
      const rule = ruleOf(list[i]);
      if (rule !== undefined) this.#add(rule);
    }
  }

  // A line for each rule, which #update() reads.
  #serialize() {
    let codes = '';
    const addCodes = (list) => {
      for (let i = 0; i < list.length; i++) codes += `${list[i].code}\n`;
    };
    addCodes(this.#addresses);
    addCodes(this.#subnets);
    addCodes(this.#ranges);
    return codes;
  }

  get rules() {
    this.#update();
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
    this.#update();
    return this.#addresses.length + this.#subnets.length + this.#ranges.length;
  }

  [kClone]() {
    if (this.#shared === undefined) {
      this.#shared = shared.create(this.#serialize());
      this.#version = 1;
    }
    return { id: 'internal/net/blocklist', data: this.#shared };
  }

  static {
    makeShared = (buffer) => {
      const list = new BlockList();
      list.#shared = buffer;
      return list;
    };
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

module.exports = { BlockList, readClone: (buffer) => makeShared(buffer) };
