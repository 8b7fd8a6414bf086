'use strict';
// Random numbers and choices that depend only on a seed (mulberry32).

class Numbers {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  // An integer in [0, limit).
  below(limit) {
    this.state = this.state + 0x6d2b79f5 >>> 0;
    let value = Math.imul(this.state ^ this.state >>> 15, this.state | 1);
    value ^= value + Math.imul(value ^ value >>> 7, value | 61);
    return ((value ^ value >>> 14) >>> 0) % limit;
  }

  oneIn(count) {
    return this.below(count) === 0;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  bytes(count) {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)));
  }
}

module.exports = { Numbers };
