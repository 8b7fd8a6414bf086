'use strict';

// histogram.export() and importHistogram(): encodes a histogram in CBOR (RFC 8949) in Node's format: a map from the
// small numbers below to numbers, a list of counts, and a map with the state of the averages.

const {
  ArrayPrototypePush,
  BigInt,
  DataView,
  DataViewPrototypeGetBigUint64,
  DataViewPrototypeGetFloat64,
  DataViewPrototypeSetBigUint64,
  DataViewPrototypeSetFloat64,
  Number,
  NumberIsInteger,
  NumberMAX_SAFE_INTEGER,
  SafeMap,
  TypedArrayPrototypeGetBuffer,
  TypeError,
  Uint8Array,
} = primordials;

const kVersion = 0;
const kLowest = 1;
const kHighest = 2;
const kFigures = 3;
const kTotal = 4;
const kMin = 5;
const kMax = 6;
const kOffset = 7; // Offset of the counts; always 0.
const kRatio = 8;
const kLength = 9;
const kCounts = 10;
const kAverages = 11;
// Keys in the map of averages.
const kWeight = 0;
const kMean = 1;
const kVariance = 2;
const kErrorRate = 3;
const kThreshold = 4;

// The major types of CBOR, in the upper three bits of the first byte of an item.
const kUnsigned = 0;
const kArray = 4;
const kMap = 5;
const kOther = 7;
const kDouble = 27;

const kNoMinimum = 9223372036854775807n;
const kMostCounts = 1 << 22;

const scratch = new Uint8Array(8);
function scratchView() {
  return new DataView(TypedArrayPrototypeGetBuffer(scratch));
}

function writeBytes(out, count) {
  for (let i = 8 - count; i < 8; i++) ArrayPrototypePush(out, scratch[i]);
}

function writeHead(out, kind, value) {
  const first = kind << 5;
  if (value < 24) {
    ArrayPrototypePush(out, first | Number(value));
    return;
  }
  DataViewPrototypeSetBigUint64(scratchView(), 0, BigInt(value));
  const size = value < 0x100 ? 0 : value < 0x10000 ? 1 : value < 0x100000000 ? 2 : 3;
  ArrayPrototypePush(out, first | (24 + size));
  writeBytes(out, 1 << size);
}

function writeDouble(out, value) {
  DataViewPrototypeSetFloat64(scratchView(), 0, value);
  ArrayPrototypePush(out, (kOther << 5) | kDouble);
  writeBytes(out, 8);
}

function writeField(out, name, value) {
  writeHead(out, kUnsigned, name);
  writeHead(out, kUnsigned, value);
}

function writeDoubleField(out, name, value) {
  writeHead(out, kUnsigned, name);
  writeDouble(out, value);
}

// `state` is the result of Hdr's save().
function encode({ lowest, highest, figures, total, min, max, length, counts, averages }) {
  const out = [];
  writeHead(out, kMap, averages === undefined ? 11 : 12);
  writeField(out, kVersion, 1);
  writeField(out, kLowest, lowest);
  writeField(out, kHighest, highest);
  writeField(out, kFigures, figures);
  writeField(out, kTotal, total);
  writeField(out, kMin, min === Infinity ? kNoMinimum : min);
  writeField(out, kMax, max);
  writeField(out, kOffset, 0);
  writeDoubleField(out, kRatio, 1);
  writeField(out, kLength, length);
  writeHead(out, kUnsigned, kCounts);
  writeHead(out, kArray, counts.length);
  for (let i = 0; i < counts.length; i++) writeHead(out, kUnsigned, counts[i]);
  if (averages !== undefined) {
    writeHead(out, kUnsigned, kAverages);
    writeHead(out, kMap, 5);
    writeDoubleField(out, kWeight, averages.weight);
    writeDoubleField(out, kMean, averages.mean);
    writeDoubleField(out, kVariance, averages.variance);
    writeDoubleField(out, kErrorRate, averages.errorRate);
    writeField(out, kThreshold, averages.threshold);
  }
  return new Uint8Array(out);
}

function invalid() {
  const error = new TypeError('Invalid histogram export data');
  error.code = 'ERR_INVALID_ARG_VALUE';
  return error;
}

class Reader {
  #data;
  #position = 0;

  constructor(data) {
    this.#data = data;
  }

  get isAtEnd() {
    return this.#position === this.#data.length;
  }

  #take(count) {
    if (this.#position + count > this.#data.length) throw invalid();
    for (let i = 0; i < 8; i++) scratch[i] = i < 8 - count ? 0 : this.#data[this.#position + i - (8 - count)];
    this.#position += count;
  }

  // Reads the type of the next item and its argument.
  head() {
    if (this.isAtEnd) throw invalid();
    const first = this.#data[this.#position++];
    const kind = first >> 5;
    const low = first & 31;
    if (kind === kOther && low === kDouble) {
      this.#take(8);
      return { kind, value: DataViewPrototypeGetFloat64(scratchView(), 0) };
    }
    if (low < 24) return { kind, value: low };
    if (low > 27 || kind === kOther) throw invalid();
    this.#take(1 << (low - 24));
    return { kind, value: Number(DataViewPrototypeGetBigUint64(scratchView(), 0)) };
  }

  expect(wanted) {
    const { kind, value } = this.head();
    if (kind !== wanted) throw invalid();
    return value;
  }

  number() {
    const { kind, value } = this.head();
    if (kind !== kUnsigned && kind !== kOther) throw invalid();
    return value;
  }

  map(readField) {
    const size = this.expect(kMap);
    const fields = new SafeMap();
    for (let i = 0; i < size; i++) {
      const name = this.expect(kUnsigned);
      if (fields.has(name)) throw invalid();
      fields.set(name, readField(name));
    }
    return fields;
  }

  counts() {
    const length = this.expect(kArray);
    if (length % 2 !== 0 || length > kMostCounts) throw invalid();
    const counts = [];
    for (let i = 0; i < length; i++) ArrayPrototypePush(counts, this.expect(kUnsigned));
    return counts;
  }
}

function decode(data) {
  const reader = new Reader(data);
  const fields = reader.map((name) => {
    if (name === kCounts) return reader.counts();
    if (name === kAverages) return reader.map(() => reader.number());
    return reader.number();
  });
  if (!reader.isAtEnd || fields.get(kVersion) !== 1) throw invalid();
  const integer = (name, least, most) => {
    const value = fields.get(name);
    if (!NumberIsInteger(value) || value < least || value > most) throw invalid();
    return value;
  };
  const lowest = integer(kLowest, 1, NumberMAX_SAFE_INTEGER);
  const given = fields.get(kAverages);
  const counts = fields.get(kCounts);
  if (counts === undefined) throw invalid();
  return {
    lowest,
    highest: integer(kHighest, 2 * lowest, 2 ** 63),
    figures: integer(kFigures, 1, 5),
    total: integer(kTotal, 0, NumberMAX_SAFE_INTEGER),
    min: integer(kMin, 0, 2 ** 63),
    max: integer(kMax, 0, 2 ** 63),
    length: integer(kLength, 1, kMostCounts),
    counts,
    averages: given === undefined ? undefined : {
      weight: given.get(kWeight),
      mean: given.get(kMean),
      variance: given.get(kVariance),
      errorRate: given.get(kErrorRate),
      threshold: given.get(kThreshold),
    },
  };
}

module.exports = { decode, encode, invalid };
