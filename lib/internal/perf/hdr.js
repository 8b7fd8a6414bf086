'use strict';

// A histogram of integers in the layout of HdrHistogram: the width of buckets grows with the value, so that each value
// keeps `figures` decimal digits. Values are doubles; above 2^53 they lose low bits that no bucket distinguishes. All
// mutable state is in one typed array, which several threads share after share() was called.

const {
  AtomicsAdd,
  AtomicsCompareExchange,
  AtomicsLoad,
  AtomicsStore,
  AtomicsWait,
  BigInt,
  Float64Array,
  Int32Array,
  MathCeil,
  MathClz32,
  MathFloor,
  MathLog,
  MathLog2,
  MathMax,
  MathMin,
  MathSqrt,
  TypedArrayPrototypeGetBuffer, TypedArrayPrototypeFill, TypedArrayPrototypeSet,
} = primordials;

// The result of min() while nothing is recorded: the largest signed 64-bit integer.
const kNoMinimum = 9223372036854775807n;
const k2To32 = 4294967296;

// The first elements of the array; the counts follow.
const kTotal = 0;
const kMin = 1;
const kMax = 2;
const kRecorded = 3;
const kExceeds = 4;
// Exponentially weighted moving averages: of the values, of their variance, of the share above the threshold.
const kEwmaMean = 5;
const kEwmaVariance = 6;
const kEwmaErrorRate = 7;
const kHeader = 8;
// Header of shared memory, before the array: the lock, and the number of its releases.
const kLockBytes = 8;
const kHeld = 0;
const kTurns = 1;
const kMostTries = 1000;
// A terminated thread never releases its lock. After this many milliseconds without a release the owner is assumed to
// be dead; a thread that was merely descheduled on a busy machine returns earlier.
const kMostWaits = 500;

// 2^-n, exact: a multiplication is cheaper than a power.
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
  // Grows with the recorded values until it is shared, because the full range would take half a megabyte.
  #cells;
  #lock = undefined;
  #range;
  // Weight of the latest value in the averages; 0 disables them.
  #weight;
  #threshold;

  // `memory` comes from share() in another thread.
  constructor({ lowest, highest, figures, halfLife = 0, threshold = 0, memory = undefined }) {
    this.#range = { lowest, highest, figures, halfLife, threshold };
    this.#weight = halfLife > 0 ? 1 - 2 ** (-1 / halfLife) : 0;
    this.#threshold = threshold;
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
    if (memory === undefined) {
      this.#cells = new Float64Array(kHeader);
      this.#cells[kMin] = Infinity;
    } else {
      this.#use(memory);
    }
  }

  #use(memory) {
    this.#cells = new Float64Array(memory, kLockBytes);
    this.#lock = new Int32Array(memory, 0, 2);
  }

  // Moves the counts to shared memory, and returns the argument with which the constructor in another thread shares
  // them.
  share() {
    if (this.#lock === undefined) {
      const memory = new globalThis.SharedArrayBuffer(kLockBytes + 8 * (kHeader + this.#length));
      const before = this.#cells;
      this.#use(memory);
      TypedArrayPrototypeSet(this.#cells, before);
    }
    return { ...this.#range, memory: TypedArrayPrototypeGetBuffer(this.#cells) };
  }

  #enter() {
    if (this.#lock === undefined) return;
    for (let i = 0; i < kMostTries; i++) {
      if (AtomicsCompareExchange(this.#lock, kHeld, 0, 1) === 0) return;
    }
    let turns = AtomicsLoad(this.#lock, kTurns);
    for (let waits = 0; waits < kMostWaits; waits++) {
      if (AtomicsCompareExchange(this.#lock, kHeld, 0, 1) === 0) return;
      AtomicsWait(this.#lock, kHeld, 1, 1);
      const now = AtomicsLoad(this.#lock, kTurns);
      if (now !== turns) waits = 0;
      turns = now;
    }
  }

  #leave() {
    if (this.#lock === undefined) return;
    AtomicsAdd(this.#lock, kTurns, 1);
    AtomicsStore(this.#lock, kHeld, 0);
  }

  // Number of values that record() has accepted, and rejected.
  get recorded() { return this.#cells[kRecorded]; }
  get exceeds() { return this.#cells[kExceeds]; }

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

  // Number of values that share the bucket of `value`, and the first of them.
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

  // A value out of range is only counted as such.
  record(value) {
    this.#enter();
    this.#recordOne(value);
    this.#leave();
  }

  // Also records the values that a stalled program missed: one for each `interval` before `value`.
  recordCorrected(value, interval) {
    this.#enter();
    for (; value >= interval; value -= interval) this.#recordOne(value);
    this.#leave();
  }

  #recordOne(value) {
    const isCounted = this.#count(value, 1);
    const cells = this.#cells; // Read here, because count() may have replaced it.
    if (!isCounted) {
      ++cells[kExceeds];
      return;
    }
    if (this.#weight > 0) this.#average(cells, value);
    ++cells[kRecorded];
  }

  #average(cells, value) {
    const isError = this.#threshold > 0 && value > this.#threshold ? 1 : 0;
    if (cells[kRecorded] === 0) {
      cells[kEwmaMean] = value;
      cells[kEwmaErrorRate] = isError;
      return;
    }
    const weight = this.#weight;
    const difference = value - cells[kEwmaMean];
    cells[kEwmaMean] += weight * difference;
    cells[kEwmaVariance] = (1 - weight) * (cells[kEwmaVariance] + weight * difference ** 2);
    cells[kEwmaErrorRate] += weight * (isError - cells[kEwmaErrorRate]);
  }

  #count(value, count) {
    if (value < 0 || value > this.#highest) return false;
    const index = this.#indexOf(value);
    if (index >= this.#length) return false;
    if (kHeader + index >= this.#cells.length) this.#grow(index);
    const cells = this.#cells;
    cells[kHeader + index] += count;
    cells[kTotal] += count;
    if (value !== 0 && value < cells[kMin]) cells[kMin] = value;
    if (value > cells[kMax]) cells[kMax] = value;
    return true;
  }

  #grow(index) {
    const length = MathMin(this.#length, MathMax(index + 1, 2 * this.#cells.length, 4 * this.#half));
    const cells = new Float64Array(kHeader + length);
    TypedArrayPrototypeSet(cells, this.#cells);
    this.#cells = cells;
  }

  // Adds the counts of another histogram. Values out of range are dropped.
  add(other) {
    this.#enter();
    const { length } = other.#cells; // `other` may be this histogram.
    const before = this.#cells[kTotal];
    const { exceeds } = other;
    for (let i = kHeader; i < length; ++i) {
      const count = other.#cells[i];
      if (count > 0) this.#count(other.#valueAt(i - kHeader), count);
    }
    this.#cells[kRecorded] += this.#cells[kTotal] - before;
    this.#cells[kExceeds] += exceeds;
    this.#leave();
  }

  // Subtracts the counts of another histogram, down to zero.
  subtract(other) {
    this.#enter();
    const cells = this.#cells;
    const length = MathMin(cells.length, other.#cells.length);
    for (let i = kHeader; i < length; ++i) cells[i] = MathMax(0, cells[i] - other.#cells[i]);
    cells[kTotal] = 0;
    cells[kMin] = Infinity;
    cells[kMax] = 0;
    for (let i = kHeader; i < cells.length; ++i) {
      if (cells[i] === 0) continue;
      const value = this.#valueAt(i - kHeader);
      cells[kTotal] += cells[i];
      if (value !== 0 && cells[kMin] === Infinity) cells[kMin] = value;
      cells[kMax] = value;
    }
    cells[kRecorded] = cells[kTotal];
    this.#leave();
  }

  reset() {
    this.#enter();
    TypedArrayPrototypeFill(this.#cells, 0);
    this.#cells[kMin] = Infinity;
    this.#leave();
  }

  min() {
    const cells = this.#cells;
    if (cells.length > kHeader && cells[kHeader] > 0) return 0;
    return cells[kMin] === Infinity ? 2 ** 63 : this.#lowestLike(cells[kMin]);
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
    const max = this.#cells[kMax];
    return max === 0 ? 0 : this.#highestLike(max);
  }

  maxBigInt() {
    const max = this.#cells[kMax];
    return max === 0 ? 0n : this.#highestLikeBigInt(max);
  }

  mean() {
    const cells = this.#cells;
    let sum = 0;
    for (let i = kHeader; i < cells.length; ++i) {
      if (cells[i] > 0) sum += cells[i] * this.#middleOf(this.#valueAt(i - kHeader));
    }
    return sum / this.#cells[kTotal];
  }

  stddev() {
    return MathSqrt(this.#moment(2));
  }

  // Returns the mean of the distance to the mean, raised to `power`.
  #moment(power) {
    const cells = this.#cells;
    const mean = this.mean();
    let sum = 0;
    for (let i = kHeader; i < cells.length; ++i) {
      if (cells[i] === 0) continue;
      const distance = this.#middleOf(this.#valueAt(i - kHeader)) - mean;
      let term = cells[i];
      for (let j = 0; j < power; ++j) term *= distance;
      sum += term;
    }
    return sum / cells[kTotal];
  }

  // Skewness of the distribution, and weight of its tails compared with the normal distribution.
  skewness() {
    const variance = this.#cells[kTotal] < 3 ? 0 : this.#moment(2);
    return variance === 0 ? 0 : this.#moment(3) / variance ** 1.5;
  }

  kurtosis() {
    const variance = this.#cells[kTotal] < 4 ? 0 : this.#moment(2);
    return variance === 0 ? 0 : this.#moment(4) / variance ** 2 - 3;
  }

  get ewmaMean() { return this.#cells[kEwmaMean]; }
  get ewmaStddev() { return MathSqrt(this.#cells[kEwmaVariance]); }
  get ewmaErrorRate() { return this.#cells[kEwmaErrorRate]; }

  // Number of values that share the bucket of `value`.
  countAt(value) {
    if (!(value >= 0 && value <= this.#highest)) return 0;
    return this.#cells[kHeader + this.#indexOf(MathFloor(value))] ?? 0;
  }

  // Returns the fraction of values up to `value`.
  cdf(value) {
    const cells = this.#cells;
    if (!(value >= 0) || cells[kTotal] === 0) return 0;
    if (value >= this.max()) return 1;
    const end = MathMin(cells.length, kHeader + this.#indexOf(MathFloor(value)) + 1);
    let seen = 0;
    for (let i = kHeader; i < end; ++i) seen += cells[i];
    return seen / cells[kTotal];
  }

  #valueAtPercentile(percentile) {
    return this.#valueOfRank(MathMax(1, MathFloor(MathMin(percentile, 100) / 100 * this.#cells[kTotal] + 0.5)));
  }

  // Returns the value with the rank `rank`, starting at 1.
  #valueOfRank(rank) {
    const cells = this.#cells;
    let seen = 0;
    for (let i = kHeader; i < cells.length; ++i) {
      seen += cells[i];
      if (seen >= rank) return this.#valueAt(i - kHeader);
    }
    return 0;
  }

  percentile(percentile) {
    return this.#highestLike(this.#valueAtPercentile(percentile));
  }

  percentileBigInt(percentile) {
    return this.#highestLikeBigInt(this.#valueAtPercentile(percentile));
  }

  valueAtRank(rank) {
    return this.#highestLike(this.#valueOfRank(rank));
  }

  // Returns all values for internal/perf/statistics: the middle and the count of each bucket that is not empty.
  sample() {
    const cells = this.#cells;
    const values = [];
    const counts = [];
    for (let i = kHeader; i < cells.length; ++i) {
      if (cells[i] === 0) continue;
      values[values.length] = this.#middleOf(this.#valueAt(i - kHeader));
      counts[counts.length] = cells[i];
    }
    return { values, counts, total: cells[kTotal] };
  }

  // Calls visit(bound, count) for ranges up to `bound`, next(bound), ..., until all values are covered. Bounds are
  // rounded to buckets.
  forEachRange(bound, next, visit) {
    const cells = this.#cells;
    if (cells[kTotal] === 0) return;
    let count = 0;
    for (let i = kHeader; i < cells.length; ++i) {
      if (cells[i] === 0) continue;
      const value = this.#valueAt(i - kHeader);
      while (value > this.#lowestLike(bound)) {
        visit(this.#lowestLike(bound), count);
        count = 0;
        bound = next(bound);
      }
      count += cells[i];
    }
    visit(this.#lowestLike(bound), count);
  }

  // Returns the complete state for internal/perf/hdr_export. Counts are in pairs: the distance from the previous
  // bucket, and the count.
  save() {
    const cells = this.#cells;
    const counts = [];
    let last = 0;
    for (let i = kHeader; i < cells.length; ++i) {
      if (cells[i] === 0) continue;
      counts[counts.length] = i - kHeader - last;
      counts[counts.length] = cells[i];
      last = i - kHeader;
    }
    const { lowest, highest, figures, threshold } = this.#range;
    return {
      lowest, highest, figures, length: this.#length,
      total: cells[kTotal], min: cells[kMin], max: cells[kMax], counts,
      averages: this.#weight === 0 ? undefined : { weight: this.#weight, threshold, ...this.#averages() },
    };
  }

  #averages() {
    const cells = this.#cells;
    return { mean: cells[kEwmaMean], variance: cells[kEwmaVariance], errorRate: cells[kEwmaErrorRate] };
  }

  // Creates a histogram from the result of save(), which is untrusted. Returns undefined if it is inconsistent.
  static load({ averages, counts, figures, highest, length, lowest, max, min, total }) {
    const halfLife = averages === undefined ? 0 : -1 / MathLog2(1 - averages.weight);
    if (!(halfLife >= 0)) return undefined;
    const hdr = new Hdr({ lowest, highest, figures, halfLife, threshold: averages?.threshold ?? 0 });
    if (hdr.#length !== length) return undefined;
    let index = 0;
    let sum = 0;
    for (let i = 0; i < counts.length; i += 2) {
      index += counts[i];
      if (index >= length) return undefined;
      if (kHeader + index >= hdr.#cells.length) hdr.#grow(index);
      hdr.#cells[kHeader + index] += counts[i + 1];
      sum += counts[i + 1];
    }
    if (sum !== total) return undefined;
    const cells = hdr.#cells;
    cells[kTotal] = total;
    cells[kRecorded] = total;
    cells[kMin] = min >= 2 ** 63 ? Infinity : min;
    cells[kMax] = max;
    if (averages !== undefined) {
      cells[kEwmaMean] = averages.mean;
      cells[kEwmaVariance] = averages.variance;
      cells[kEwmaErrorRate] = averages.errorRate;
    }
    return hdr;
  }

  // Calls visit(percentile, value) for 0, 50, 75, 87.5 ... while these have different values, and for 100.
  forEachPercentile(visit) {
    const cells = this.#cells;
    const total = this.#cells[kTotal];
    let seen = 0;
    let next = 0;
    let value = 0;
    for (let i = kHeader; i < cells.length && seen < total; ++i) {
      if (cells[i] === 0) continue;
      seen += cells[i];
      value = this.#valueAt(i - kHeader);
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
