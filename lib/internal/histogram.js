'use strict';

// The histograms of perf_hooks: one that programs record into, and one that measures the delay of the event loop.

const {
  ArrayPrototypeToSorted,
  BigInt,
  MathRound,
  Number,
  NumberIsNaN,
  NumberMAX_SAFE_INTEGER,
  ObjectFromEntries,
  RangeError,
  Map,
  MapPrototypeSet,
  Symbol,
  SymbolDispose,
} = primordials;

const {
  codedError,
  codes: {
    ERR_ILLEGAL_CONSTRUCTOR,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_THIS,
    ERR_OUT_OF_RANGE,
  },
} = require('internal/errors');
const {
  validateArray,
  validateBoolean,
  validateInteger,
  validateNumber,
  validateObject,
} = require('internal/validators');
const { customInspectSymbol, kEmptyObject } = require('internal/util');
const { HostObject, kClone } = require('internal/structured_clone');
const { isUint8Array } = require('internal/util/types');
const { Hdr } = require('internal/perf/hdr');
const { now } = internalBinding('clock');

const kConstruct = Symbol('kConstruct');
const kMaxInt64 = 9223372036854775807n;

function nowInNanoseconds() {
  return MathRound(now() * 1e6);
}

let isHistogram;

class Histogram extends HostObject {
  #hdr;
  #previous = 0;

  constructor(key = undefined, hdr = undefined) {
    if (key !== kConstruct) throw new ERR_ILLEGAL_CONSTRUCTOR();
    super();
    this.#hdr = hdr;
  }

  static {
    isHistogram = (value) => typeof value === 'object' && value !== null && #hdr in value;
  }

  // The next three functions give the subclasses below access to private fields.
  static record(self, value) {
    self.#hdr.record(value);
  }

  // Records the nanoseconds since the previous call. The first call only stores the time.
  static recordDelta(self) {
    const time = nowInNanoseconds();
    if (self.#previous > 0 && time > self.#previous) recordInto(self, time - self.#previous);
    self.#previous = time;
  }

  static hdrOf(self) {
    return self.#hdr;
  }

  static resetDelta(self) {
    self.#previous = 0;
  }

  // A clone in another thread shares the recorded values.
  [kClone]() {
    return { id: 'internal/histogram', data: { isRecordable: isRecordable(this), ...this.#hdr.share() } };
  }

  [customInspectSymbol](depth, options) {
    if (depth < 0) return options.stylize(`[${this.constructor.name}]`, 'special');
    const { inspect } = require('internal/util/inspect');
    const opts = { ...options, depth: options.depth === null ? null : options.depth - 1 };
    return `Histogram ${inspect({
      min: this.min,
      max: this.max,
      mean: this.mean,
      exceeds: this.exceeds,
      stddev: this.stddev,
      skewness: this.skewness,
      kurtosis: this.kurtosis,
      count: this.count,
      percentiles: this.percentiles,
    }, opts)}`;
  }

  get count() {
    checkReceiver(this);
    return this.#hdr.recorded;
  }

  get countBigInt() {
    checkReceiver(this);
    return BigInt(this.#hdr.recorded);
  }

  get min() {
    checkReceiver(this);
    return this.#hdr.min();
  }

  get minBigInt() {
    checkReceiver(this);
    return this.#hdr.minBigInt();
  }

  get max() {
    checkReceiver(this);
    return this.#hdr.max();
  }

  get maxBigInt() {
    checkReceiver(this);
    return this.#hdr.maxBigInt();
  }

  get mean() {
    checkReceiver(this);
    return this.#hdr.mean();
  }

  get exceeds() {
    checkReceiver(this);
    return this.#hdr.exceeds;
  }

  get exceedsBigInt() {
    checkReceiver(this);
    return BigInt(this.#hdr.exceeds);
  }

  get stddev() {
    checkReceiver(this);
    return this.#hdr.stddev();
  }

  percentile(percentile) {
    checkReceiver(this);
    validatePercentile(percentile);
    return this.#hdr.percentile(percentile);
  }

  percentileBigInt(percentile) {
    checkReceiver(this);
    validatePercentile(percentile);
    return this.#hdr.percentileBigInt(percentile);
  }

  get percentiles() {
    checkReceiver(this);
    const map = new Map();
    this.#hdr.forEachPercentile((percentile, value) => MapPrototypeSet(map, percentile, value));
    return map;
  }

  get percentilesBigInt() {
    checkReceiver(this);
    const map = new Map();
    this.#hdr.forEachPercentile((percentile, value) => MapPrototypeSet(map, percentile, BigInt(value)));
    return map;
  }

  percentilesAt(percentiles) {
    checkReceiver(this);
    validateArray(percentiles, 'percentiles');
    for (let i = 0; i < percentiles.length; i++) validatePercentile(percentiles[i], `percentiles[${i}]`);
    const sorted = ArrayPrototypeToSorted(percentiles, (a, b) => a - b);
    const map = new Map();
    for (let i = 0; i < sorted.length; i++) MapPrototypeSet(map, sorted[i], this.#hdr.percentile(sorted[i]));
    return map;
  }

  get skewness() {
    checkReceiver(this);
    return this.#hdr.skewness();
  }

  get kurtosis() {
    checkReceiver(this);
    return this.#hdr.kurtosis();
  }

  get ewmaMean() {
    checkReceiver(this);
    return this.#hdr.ewmaMean;
  }

  get ewmaStddev() {
    checkReceiver(this);
    return this.#hdr.ewmaStddev;
  }

  get ewmaErrorRate() {
    checkReceiver(this);
    return this.#hdr.ewmaErrorRate;
  }

  // Returns the rate at which an error budget is used up: 1 is exactly the target.
  burnRate(sloTarget) {
    checkReceiver(this);
    validateNumber(sloTarget, 'sloTarget');
    if (NumberIsNaN(sloTarget) || sloTarget <= 0 || sloTarget >= 1) {
      throw new ERR_OUT_OF_RANGE('sloTarget', '> 0 && < 1', sloTarget);
    }
    return this.#hdr.ewmaErrorRate / (1 - sloTarget);
  }

  cdf(value) {
    checkReceiver(this);
    validateNumber(value, 'value');
    return this.#hdr.cdf(value);
  }

  ccdf(value) {
    checkReceiver(this);
    validateNumber(value, 'value');
    return 1 - this.#hdr.cdf(value);
  }

  countAt(value) {
    checkReceiver(this);
    validateNumber(value, 'value');
    return this.#hdr.countAt(value);
  }

  reset() {
    checkReceiver(this);
    this.#hdr.reset();
    this.#previous = 0;
  }

  toJSON() {
    checkReceiver(this);
    return {
      count: this.count,
      min: this.min,
      max: this.max,
      mean: this.mean,
      exceeds: this.exceeds,
      stddev: this.stddev,
      skewness: this.skewness,
      kurtosis: this.kurtosis,
      ewmaMean: this.ewmaMean,
      ewmaStddev: this.ewmaStddev,
      ewmaErrorRate: this.ewmaErrorRate,
      percentiles: ObjectFromEntries(this.percentiles),
    };
  }
}

const { record: recordInto, recordDelta: recordDeltaInto, hdrOf, resetDelta } = Histogram;
delete Histogram.record;
delete Histogram.recordDelta;
delete Histogram.hdrOf;
delete Histogram.resetDelta;

function checkReceiver(self) {
  if (!isHistogram(self)) throw new ERR_INVALID_THIS('Histogram');
}

function validatePercentile(percentile, name = 'percentile') {
  validateNumber(percentile, name);
  if (NumberIsNaN(percentile) || percentile <= 0 || percentile > 100) {
    throw new ERR_OUT_OF_RANGE(name, '> 0 && <= 100', percentile);
  }
}

require('internal/perf/histogram_methods').install(Histogram,
  { checkReceiver, hdrOf, isHistogram, validatePercentile });

// Validates a value to record and converts it to a number.
function checkValue(val) {
  if (typeof val !== 'bigint') {
    validateInteger(val, 'val', 1);
    return val;
  }
  if (val < 1n || val > kMaxInt64) throw outOfRange();
  return Number(val);
}

let isRecordable;

class RecordableHistogram extends Histogram {
  #recordable = true;

  constructor(key = undefined, hdr = undefined) {
    if (key !== kConstruct) throw new ERR_ILLEGAL_CONSTRUCTOR();
    super(key, hdr);
  }

  static {
    isRecordable = (value) => typeof value === 'object' && value !== null && #recordable in value;
  }

  record(val) {
    if (!isRecordable(this)) throw new ERR_INVALID_THIS('RecordableHistogram');
    recordInto(this, checkValue(val));
  }

  recordDelta() {
    if (!isRecordable(this)) throw new ERR_INVALID_THIS('RecordableHistogram');
    recordDeltaInto(this);
  }

  add(other) {
    if (!isRecordable(this)) throw new ERR_INVALID_THIS('RecordableHistogram');
    if (!isRecordable(other)) throw new ERR_INVALID_ARG_TYPE('other', 'RecordableHistogram', other);
    hdrOf(this).add(hdrOf(other));
  }

  subtract(other) {
    if (!isRecordable(this)) throw new ERR_INVALID_THIS('RecordableHistogram');
    if (!isRecordable(other)) throw new ERR_INVALID_ARG_TYPE('other', 'RecordableHistogram', other);
    hdrOf(this).subtract(hdrOf(other));
  }

  recordCorrected(val, expectedInterval) {
    if (!isRecordable(this)) throw new ERR_INVALID_THIS('RecordableHistogram');
    if (typeof val === 'bigint') {
      if (typeof expectedInterval !== 'bigint') {
        throw new ERR_INVALID_ARG_TYPE('expectedInterval', 'bigint', expectedInterval);
      }
      if (val < 1n || val > kMaxInt64 || expectedInterval < 1n || expectedInterval > kMaxInt64) throw outOfRange();
    } else {
      validateInteger(val, 'val', 1);
      validateInteger(expectedInterval, 'expectedInterval', 1);
    }
    const value = Number(val);
    const interval = Number(expectedInterval);
    if (value <= interval) recordInto(this, value);
    else hdrOf(this).recordCorrected(value, interval);
  }
}

function outOfRange() {
  return codedError(RangeError, 'ERR_OUT_OF_RANGE', 'value is out of range');
}

class ELDHistogram extends Histogram {
  #resolution;
  #timer = undefined;

  constructor(key = undefined, resolution = undefined) {
    if (key !== kConstruct) throw new ERR_ILLEGAL_CONSTRUCTOR();
    // The range is one nanosecond to one hour.
    super(key, new Hdr({ lowest: 1, highest: 3.6e12, figures: 3 }));
    this.#resolution = resolution;
  }

  enable() {
    if (!(#timer in this)) throw new ERR_INVALID_THIS('ELDHistogram');
    if (this.#timer !== undefined) return false;
    this.reset();
    this.#timer = require('timers').setInterval(recordDeltaInto, this.#resolution, this);
    this.#timer.unref();
    return true;
  }

  disable() {
    if (!(#timer in this)) throw new ERR_INVALID_THIS('ELDHistogram');
    if (this.#timer === undefined) return false;
    require('timers').clearInterval(this.#timer);
    this.#timer = undefined;
    resetDelta(this);
    return true;
  }

  [SymbolDispose]() {
    this.disable();
  }
}

function validateBound(value, name) {
  if (typeof value !== 'bigint') validateInteger(value, name, 1, NumberMAX_SAFE_INTEGER);
  else if (value < 1n || value > kMaxInt64) throw new ERR_OUT_OF_RANGE(name, `>= 1n && <= ${kMaxInt64}n`, value);
}

function validateRange({ lowest = 1, highest = NumberMAX_SAFE_INTEGER, figures = 3 }) {
  validateBound(lowest, 'options.lowest');
  validateBound(highest, 'options.highest');
  const least = 2n * BigInt(lowest);
  if (highest < least) throw new ERR_OUT_OF_RANGE('options.highest', `>= 2 * options.lowest (${least}n)`, highest);
  validateInteger(figures, 'options.figures', 1, 5);
  return { lowest: Number(lowest), highest: Number(highest), figures };
}

function createHistogram(options = kEmptyObject) {
  validateObject(options, 'options');
  const { halfLife = 0, threshold = 0 } = options;
  const range = validateRange(options);
  validateNumber(halfLife, 'options.halfLife');
  if (halfLife < 0) throw new ERR_OUT_OF_RANGE('options.halfLife', '>= 0', halfLife);
  validateNumber(threshold, 'options.threshold');
  if (threshold < 0) throw new ERR_OUT_OF_RANGE('options.threshold', '>= 0', threshold);
  return new RecordableHistogram(kConstruct, new Hdr({ ...range, halfLife, threshold }));
}

// Restores a histogram from the bytes that export() returned.
function importHistogram(data) {
  if (!isUint8Array(data)) throw new ERR_INVALID_ARG_TYPE('data', 'Uint8Array', data);
  const { decode, invalid } = require('internal/perf/hdr_export');
  const hdr = Hdr.load(decode(data));
  if (hdr === undefined) throw invalid();
  return new RecordableHistogram(kConstruct, hdr);
}

function makeReadOnly(hdr) {
  return new Histogram(kConstruct, hdr);
}

// Measures the delay of the event loop, with a timer that should run every `resolution` milliseconds.
function monitorEventLoopDelay(options = kEmptyObject) {
  validateObject(options, 'options');
  const { resolution = 10, samplePerIteration = false } = options;
  validateBoolean(samplePerIteration, 'options.samplePerIteration');
  validateInteger(resolution, 'options.resolution', 1);
  return new ELDHistogram(kConstruct, resolution);
}

function readClone({ isRecordable: canRecord, ...hdr }) {
  const Class = canRecord ? RecordableHistogram : Histogram;
  return new Class(kConstruct, new Hdr(hdr));
}

module.exports = {
  checkValue,
  importHistogram,
  makeReadOnly,
  validateRange,
  Histogram,
  RecordableHistogram,
  createHistogram,
  isHistogram,
  isRecordable,
  monitorEventLoopDelay,
  readClone,
  recordInto,
};
