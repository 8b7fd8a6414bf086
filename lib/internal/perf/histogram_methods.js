'use strict';

// Rarely used methods of histograms: intervals, tests, ranges. install() adds them to the class.

const {
  Map,
  MapPrototypeGet,
  MapPrototypeSet,
  MathFloor,
  MathMax,
  NumberIsNaN,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptor,
  ReflectOwnKeys,
  SafeArrayIterator,
} = primordials;

const { codes: { ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE } } = require('internal/errors');
const { kEmptyObject } = require('internal/util');
const { validateInteger, validateNumber, validateObject } = require('internal/validators');

function readConfidence(options) {
  validateObject(options, 'options');
  const { confidence = 0.95 } = options;
  validateNumber(confidence, 'options.confidence');
  if (NumberIsNaN(confidence) || confidence <= 0 || confidence >= 1) {
    throw new ERR_OUT_OF_RANGE('options.confidence', '> 0 && < 1', confidence);
  }
  return confidence;
}

function statistics() {
  return require('internal/perf/statistics');
}

function install(Histogram, { checkReceiver, hdrOf, isHistogram, validatePercentile }) {
  // Returns the samples of both histograms; if they are the same histogram, the same sample.
  function readPair(self, other) {
    checkReceiver(self);
    if (!isHistogram(other)) throw new ERR_INVALID_ARG_TYPE('other', 'Histogram', other);
    const one = hdrOf(self).sample();
    return { one, two: hdrOf(self) === hdrOf(other) ? one : hdrOf(other).sample() };
  }

  function ranges(self, first, next) {
    const map = new Map();
    hdrOf(self).forEachRange(first, next, (bound, count) => {
      // Bounds that are in the same bucket are combined.
      MapPrototypeSet(map, bound, (MapPrototypeGet(map, bound) ?? 0) + count);
    });
    return map;
  }

  class Methods {
    meanCI(options = kEmptyObject) {
      checkReceiver(this);
      const confidence = readConfidence(options);
      return statistics().meanInterval(hdrOf(this).sample(), confidence);
    }

    percentileCI(percentile, options = kEmptyObject) {
      checkReceiver(this);
      validatePercentile(percentile);
      const confidence = readConfidence(options);
      const hdr = hdrOf(this);
      const { total } = hdr.sample();
      if (total === 0) return { __proto__: null, value: 0, lower: 0, upper: 0 };
      const { lower, upper } = statistics().percentileRanks(total, percentile, confidence);
      return {
        __proto__: null,
        value: hdr.percentile(percentile),
        lower: hdr.valueAtRank(lower),
        upper: hdr.valueAtRank(upper),
      };
    }

    ksTest(other) {
      const { one, two } = readPair(this, other);
      return statistics().ksTest(one, two);
    }

    welchTest(other, options = kEmptyObject) {
      const { one, two } = readPair(this, other);
      return statistics().welchTest(one, two, readConfidence(options));
    }

    mannWhitneyTest(other) {
      const { one, two } = readPair(this, other);
      return statistics().mannWhitneyTest(one, two);
    }

    cohensD(other) {
      const { one, two } = readPair(this, other);
      return statistics().cohensD(one, two);
    }

    cliffsD(other) {
      const { one, two } = readPair(this, other);
      return statistics().cliffsD(one, two);
    }

    // Returns the number of values between consecutive multiples of `stepSize`.
    linearBuckets(stepSize) {
      checkReceiver(this);
      validateInteger(stepSize, 'stepSize', 1);
      return ranges(this, stepSize, (bound) => bound + stepSize);
    }

    // Returns the same for bounds that grow by the factor `base`, which is rounded down if it is at least 2.
    logBuckets(firstBucket, base) {
      checkReceiver(this);
      validateInteger(firstBucket, 'firstBucket', 1);
      validateNumber(base, 'base');
      if (base <= 1) throw new ERR_OUT_OF_RANGE('base', '> 1', base);
      const factor = base >= 2 ? MathFloor(base) : base;
      return ranges(this, firstBucket, (bound) => MathMax(bound + 1, MathFloor(bound * factor)));
    }

    export() {
      checkReceiver(this);
      return require('internal/perf/hdr_export').encode(hdrOf(this).save());
    }
  }

  for (const name of new SafeArrayIterator(ReflectOwnKeys(Methods.prototype))) {
    if (name === 'constructor') continue;
    const descriptor = ObjectGetOwnPropertyDescriptor(Methods.prototype, name);
    ObjectDefineProperty(Histogram.prototype, name, { __proto__: null, ...descriptor });
  }
}

module.exports = { install };
