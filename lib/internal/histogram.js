'use strict';

// The histograms of perf_hooks: one that programs record into, and one that watches the delay of the loop.

const {
  BigInt,
  MathRound,
  Number,
  NumberIsNaN,
  NumberMAX_SAFE_INTEGER,
  ObjectFromEntries,
  RangeError,
  SafeMap,
  Symbol,
} = primordials;

const {
  codes: {
    ERR_ILLEGAL_CONSTRUCTOR,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_INVALID_THIS,
    ERR_OUT_OF_RANGE,
  },
} = require('internal/errors');
const { validateInteger, validateNumber, validateObject } = require('internal/validators');
const { customInspectSymbol, kEmptyObject } = require('internal/util');
const { HostObject, kClone } = require('internal/structured_clone');
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
  #map = new SafeMap();
  #previous = 0;

  constructor(key = undefined, hdr = undefined) {
    if (key !== kConstruct) throw new ERR_ILLEGAL_CONSTRUCTOR();
    super();
    this.#hdr = hdr;
  }

  static {
    isHistogram = (value) => typeof value === 'object' && value !== null && #hdr in value;
  }

  // The three that follow are for the classes below: `this` is one of theirs.
  static record(self, value) {
    self.#hdr.record(value);
  }

  // Records the nanoseconds since the last call, except by the first.
  static recordDelta(self) {
    const time = nowInNanoseconds();
    if (self.#previous > 0 && time > self.#previous) recordInto(self, time - self.#previous);
    self.#previous = time;
  }

  static addTo(self, other) {
    self.#hdr.add(other.#hdr);
  }

  static resetDelta(self) {
    self.#previous = 0;
  }

  // The other thread sees what this one records, and the other way round.
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
    this.#map.clear();
    this.#hdr.forEachPercentile((percentile, value) => this.#map.set(percentile, value));
    return this.#map;
  }

  get percentilesBigInt() {
    checkReceiver(this);
    this.#map.clear();
    this.#hdr.forEachPercentile((percentile, value) => this.#map.set(percentile, BigInt(value)));
    return this.#map;
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
      percentiles: ObjectFromEntries(this.percentiles),
    };
  }
}

const { record: recordInto, recordDelta: recordDeltaInto, addTo, resetDelta } = Histogram;
delete Histogram.record;
delete Histogram.recordDelta;
delete Histogram.addTo;
delete Histogram.resetDelta;

function checkReceiver(self) {
  if (!isHistogram(self)) throw new ERR_INVALID_THIS('Histogram');
}

function validatePercentile(percentile) {
  validateNumber(percentile, 'percentile');
  if (NumberIsNaN(percentile) || percentile <= 0 || percentile > 100) {
    throw new ERR_OUT_OF_RANGE('percentile', '> 0 && <= 100', percentile);
  }
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
    if (typeof val === 'bigint') {
      if (val < 1n || val > kMaxInt64) throw outOfRange();
      val = Number(val);
    } else {
      validateInteger(val, 'val', 1);
    }
    recordInto(this, val);
  }

  recordDelta() {
    if (!isRecordable(this)) throw new ERR_INVALID_THIS('RecordableHistogram');
    recordDeltaInto(this);
  }

  add(other) {
    if (!isRecordable(this)) throw new ERR_INVALID_THIS('RecordableHistogram');
    if (!isRecordable(other)) throw new ERR_INVALID_ARG_TYPE('other', 'RecordableHistogram', other);
    addTo(this, other);
  }
}

function outOfRange() {
  const err = new RangeError('value is out of range');
  err.code = 'ERR_OUT_OF_RANGE';
  return err;
}

class ELDHistogram extends Histogram {
  #resolution;
  #timer = undefined;

  constructor(key = undefined, resolution = undefined) {
    if (key !== kConstruct) throw new ERR_ILLEGAL_CONSTRUCTOR();
    // From a nanosecond to an hour.
    super(key, new Hdr(1, 3.6e12, 3));
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
}

function createHistogram(options = kEmptyObject) {
  validateObject(options, 'options');
  const { lowest = 1, highest = NumberMAX_SAFE_INTEGER, figures = 3 } = options;
  if (typeof lowest !== 'bigint') validateInteger(lowest, 'options.lowest', 1, NumberMAX_SAFE_INTEGER);
  if (typeof highest !== 'bigint') {
    validateInteger(highest, 'options.highest', 2 * Number(lowest), NumberMAX_SAFE_INTEGER);
  } else if (highest < 2n * BigInt(lowest)) {
    throw new ERR_INVALID_ARG_VALUE.RangeError('options.highest', highest);
  }
  validateInteger(figures, 'options.figures', 1, 5);
  return new RecordableHistogram(kConstruct, new Hdr(Number(lowest), Number(highest), figures));
}

// How late the loop comes to a timer that it was to run every `resolution` milliseconds.
function monitorEventLoopDelay(options = kEmptyObject) {
  validateObject(options, 'options');
  const { resolution = 10 } = options;
  validateInteger(resolution, 'options.resolution', 1);
  return new ELDHistogram(kConstruct, resolution);
}

function readClone({ isRecordable: canRecord, lowest, highest, figures, memory }) {
  const Class = canRecord ? RecordableHistogram : Histogram;
  return new Class(kConstruct, new Hdr(lowest, highest, figures, memory));
}

module.exports = {
  Histogram,
  RecordableHistogram,
  createHistogram,
  isHistogram,
  isRecordable,
  monitorEventLoopDelay,
  readClone,
  recordInto,
};
