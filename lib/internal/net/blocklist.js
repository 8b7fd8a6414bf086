'use strict';
// net.BlockList: rules about addresses, the newest first.

const { ArrayPrototypePush, ArrayPrototypeUnshift, MathMin } = primordials;

const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { customInspectSymbol } = require('internal/util');
const { inspect } = require('internal/util/inspect');
const { SocketAddress, groupsOfAddress } = require('internal/net/socket_address');
const { validateInt32, validateString } = require('internal/validators');

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

class BlockList {
  #rules = [];

  addAddress(address, family = 'ipv4') {
    address = toAddress(address, family, 'address');
    const groups = groupsOfAddress(address);
    ArrayPrototypeUnshift(this.#rules, {
      text: `Address: ${familyName(address)} ${address.address}`,
      isMet: (other) => compare(other, groups) === 0,
    });
  }

  addRange(start, end, family = 'ipv4') {
    start = toAddress(start, family, 'start');
    end = toAddress(end, family, 'end');
    const first = groupsOfAddress(start);
    const last = groupsOfAddress(end);
    if (compare(first, last) > 0) throw new ERR_INVALID_ARG_VALUE('start', start, 'must come before end');
    ArrayPrototypeUnshift(this.#rules, {
      text: `Range: ${familyName(start)} ${start.address}-${end.address}`,
      isMet: (other) => compare(first, other) <= 0 && compare(other, last) <= 0,
    });
  }

  addSubnet(network, prefix, family = 'ipv4') {
    network = toAddress(network, family, 'network');
    const isV4 = network.family === 'ipv4';
    validateInt32(prefix, 'prefix', 0, isV4 ? 32 : 128);
    const groups = groupsOfAddress(network);
    const bits = isV4 ? prefix + 96 : prefix;
    ArrayPrototypeUnshift(this.#rules, {
      text: `Subnet: ${familyName(network)} ${network.address}/${prefix}`,
      isMet: (other) => haveSamePrefix(groups, other, bits),
    });
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
    for (let i = 0; i < this.#rules.length; i++) {
      if (this.#rules[i].isMet(groups)) return true;
    }
    return false;
  }

  get rules() {
    const texts = [];
    for (let i = 0; i < this.#rules.length; i++) ArrayPrototypePush(texts, this.#rules[i].text);
    return texts;
  }

  [customInspectSymbol](depth, options) {
    if (depth < 0) return this;
    const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    return `BlockList ${inspect({ rules: this.rules }, inner)}`;
  }
}

module.exports = { BlockList };
