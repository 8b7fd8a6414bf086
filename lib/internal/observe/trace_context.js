'use strict';
// The header field `traceparent` of W3C Trace Context: reading, writing, and making ids.

const { NumberParseInt, RegExpPrototypeExec } = primordials;

const field = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const zeros = /^0+$/;
const kSampled = 1;

// { traceId, spanId, isSampled }, or undefined if the value is not valid: then a new trace begins.
function parseTraceParent(value) {
  if (typeof value !== 'string') return undefined;
  const match = RegExpPrototypeExec(field, value);
  if (match === null) return undefined;
  const { 1: version, 2: traceId, 3: spanId, 4: flags, 5: rest } = match;
  // Later versions may have more parts, version 00 has none.
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  if (RegExpPrototypeExec(zeros, traceId) !== null || RegExpPrototypeExec(zeros, spanId) !== null) return undefined;
  return { __proto__: null, traceId, spanId, isSampled: (NumberParseInt(flags, 16) & kSampled) !== 0 };
}

function formatTraceParent({ isSampled, spanId, traceId }) {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

const digits = '0123456789abcdef';

// Makes ids from four random numbers (sfc32): random bytes would cost a call for each span, and with --seed they are
// those of the program.
class Ids {
  #a;
  #b;
  #c;
  #count;

  constructor(seed) {
    ({ 0: this.#a, 1: this.#b, 2: this.#c, 3: this.#count } = seed);
    for (let i = 0; i < 16; i++) this.#next();
  }

  #next() {
    const sum = (this.#a + this.#b + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21 | this.#c >>> 11) + sum) | 0;
    return sum;
  }

  // `words` times eight hexadecimal digits, which are not all zero.
  #make(words) {
    while (true) {
      let id = '';
      let all = 0;
      for (let i = 0; i < words; i++) {
        const number = this.#next();
        all |= number;
        for (let shift = 28; shift >= 0; shift -= 4) id += digits[(number >>> shift) & 15];
      }
      if (all !== 0) return id;
    }
  }

  trace() { return this.#make(4); }
  span() { return this.#make(2); }
}

module.exports = { Ids, formatTraceParent, parseTraceParent };
