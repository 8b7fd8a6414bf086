'use strict';

// Counts of whole numbers in buckets whose width grows with the number, so that each keeps `figures` decimal digits: the
// layout of HdrHistogram, and so its results. Numbers are doubles; those beyond 2^53 lose low bits that no bucket keeps.

const {
  BigInt,
  Float64Array,
  MathCeil,
  MathClz32,
  MathFloor,
  MathLog,
  MathLog2,
  MathMax,
  MathMin,
  MathSqrt,
  TypedArrayPrototypeFill,
  TypedArrayPrototypeSet,
} = primordials;

// What min() says while nothing was recorded: the largest 64-bit integer.
const kNoMinimum = 9223372036854775807n;
const k2To32 = 4294967296;

// 2^-n, exact: a multiplication is cheaper than raising to a power.
const inverses = new Float64Array(64);
for (let i = 0; i < 64; ++i) inverses[i] = 2 ** -i;

function bitLength(value) {
  return value < k2To32 ? 32 - MathClz32(value) : 64 - MathClz32(value / k2To32);
}

class Hdr {
  #unitMagnitude;
  #halfMagnitude;
  #half;
  #highest;
  #length;
  // Grows with the numbers: the full range would take half a megabyte.
  #counts = new Float64Array(0);
  #total = 0;
  #min = Infinity;
  #max = 0;

  constructor(lowest, highest, figures) {
    const magnitude = MathCeil(MathLog2(2 * 10 ** figures));
    this.#halfMagnitude = MathMax(magnitude, 1) - 1;
    this.#half = 2 ** this.#halfMagnitude;
    this.#unitMagnitude = bitLength(lowest) - 1;
    this.#highest = highest;
    let buckets = 1;
    let untrackable = 2 ** (this.#halfMagnitude + 1 + this.#unitMagnitude);
    while (untrackable <= highest) {
      ++buckets;
      if (untrackable > 2 ** 62) break;
      untrackable *= 2;
    }
    this.#length = (buckets + 1) * this.#half;
  }

  get total() { return this.#total; }

  #bucketOf(value) {
    return MathMax(0, bitLength(value) - this.#unitMagnitude - this.#halfMagnitude - 1);
  }

  #indexOf(value) {
    const bucket = this.#bucketOf(value);
    return bucket * this.#half + MathFloor(value * inverses[bucket + this.#unitMagnitude]);
  }

  #valueAt(index) {
    let bucket = MathFloor(index / this.#half) - 1;
    let sub = index % this.#half + this.#half;
    if (bucket < 0) {
      sub -= this.#half;
      bucket = 0;
    }
    return sub * 2 ** (bucket + this.#unitMagnitude);
  }

  // How many numbers share the bucket of `value`, and the first of them.
  #widthAt(value) {
    return 2 ** (this.#bucketOf(value) + this.#unitMagnitude);
  }

  #lowestLike(value) {
    const width = this.#widthAt(value);
    return MathFloor(value / width) * width;
  }

  #middleOf(value) {
    return this.#lowestLike(value) + MathFloor(this.#widthAt(value) / 2);
  }

  // False if the number is out of range.
  record(value, count = 1) {
    if (value < 0 || value > this.#highest) return false;
    const index = this.#indexOf(value);
    if (index >= this.#length) return false;
    if (index >= this.#counts.length) this.#grow(index);
    this.#counts[index] += count;
    this.#total += count;
    if (value !== 0 && value < this.#min) this.#min = value;
    if (value > this.#max) this.#max = value;
    return true;
  }

  #grow(index) {
    const counts = new Float64Array(MathMin(this.#length, MathMax(index + 1, 2 * this.#counts.length, 4 * this.#half)));
    TypedArrayPrototypeSet(counts, this.#counts);
    this.#counts = counts;
  }

  // Adds what the other counted; what is out of range here is dropped.
  add(other) {
    const counts = other.#counts;
    for (let i = 0; i < counts.length; ++i) {
      if (counts[i] > 0) this.record(other.#valueAt(i), counts[i]);
    }
  }

  reset() {
    TypedArrayPrototypeFill(this.#counts, 0);
    this.#total = 0;
    this.#min = Infinity;
    this.#max = 0;
  }

  min() {
    if (this.#counts.length > 0 && this.#counts[0] > 0) return 0;
    return this.#min === Infinity ? 2 ** 63 : this.#lowestLike(this.#min);
  }

  minBigInt() {
    const min = this.min();
    return min === 2 ** 63 ? kNoMinimum : BigInt(min);
  }

  #highestLike(value) {
    return this.#lowestLike(value) + (this.#widthAt(value) - 1);
  }

  #highestLikeBigInt(value) {
    return BigInt(this.#lowestLike(value)) + BigInt(this.#widthAt(value)) - 1n;
  }

  max() {
    return this.#max === 0 ? 0 : this.#highestLike(this.#max);
  }

  maxBigInt() {
    return this.#max === 0 ? 0n : this.#highestLikeBigInt(this.#max);
  }

  mean() {
    const counts = this.#counts;
    let sum = 0;
    for (let i = 0; i < counts.length; ++i) if (counts[i] > 0) sum += counts[i] * this.#middleOf(this.#valueAt(i));
    return sum / this.#total;
  }

  stddev() {
    const counts = this.#counts;
    const mean = this.mean();
    let sum = 0;
    for (let i = 0; i < counts.length; ++i) {
      if (counts[i] > 0) sum += counts[i] * (this.#middleOf(this.#valueAt(i)) - mean) ** 2;
    }
    return MathSqrt(sum / this.#total);
  }

  #valueAtPercentile(percentile) {
    const wanted = MathMax(1, MathFloor(MathMin(percentile, 100) / 100 * this.#total + 0.5));
    const counts = this.#counts;
    let seen = 0;
    for (let i = 0; i < counts.length; ++i) {
      seen += counts[i];
      if (seen >= wanted) return this.#valueAt(i);
    }
    return 0;
  }

  percentile(percentile) {
    return this.#highestLike(this.#valueAtPercentile(percentile));
  }

  percentileBigInt(percentile) {
    return this.#highestLikeBigInt(this.#valueAtPercentile(percentile));
  }

  // Calls visit(percentile, value) for 0, 50, 75, 87.5 ... as long as they tell numbers apart, and for 100.
  forEachPercentile(visit) {
    const counts = this.#counts;
    const total = this.#total;
    let seen = 0;
    let next = 0;
    let value = 0;
    for (let i = 0; i < counts.length && seen < total; ++i) {
      if (counts[i] === 0) continue;
      seen += counts[i];
      value = this.#valueAt(i);
      const reached = 100 * seen / total;
      while (next <= reached) {
        visit(next, value);
        if (seen >= total) break;
        next += 100 / 2 ** MathFloor(MathLog(100 / (100 - next)) / MathLog(2) + 1);
      }
    }
    visit(100, value);
  }
}

module.exports = { Hdr };
