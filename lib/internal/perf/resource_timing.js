'use strict';

// The timing of a fetched resource (https://w3c.github.io/resource-timing/), as reported by the code that fetched it.

const {
  ObjectDefineProperties,
  SymbolToStringTag,
} = primordials;

const {
  codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_THIS },
} = require('internal/errors');
const assert = require('internal/assert');
const { kEnumerableProperty } = require('internal/util');
const { PerformanceEntry, kConstruct } = require('internal/perf/entry');
const { bufferResourceTiming, enqueue } = require('internal/perf/observe');

class PerformanceResourceTiming extends PerformanceEntry {
  #timing;
  #cacheMode;
  #initiatorType;
  #response;

  // `response`: { bodyInfo, responseStatus, deliveryType }
  constructor(key = undefined, name = undefined, initiatorType = undefined, timing = undefined, cacheMode = undefined,
    response = undefined) {
    if (key !== kConstruct) throw new ERR_ILLEGAL_CONSTRUCTOR();
    super(key, name, 'resource', timing.startTime, timing.endTime - timing.startTime);
    this.#timing = timing;
    this.#cacheMode = cacheMode;
    this.#initiatorType = initiatorType;
    this.#response = response;
  }

  static #of(self) {
    if (typeof self !== 'object' || self === null || !(#timing in self)) {
      throw new ERR_INVALID_THIS('PerformanceResourceTiming');
    }
    return self.#timing;
  }

  get initiatorType() {
    PerformanceResourceTiming.#of(this);
    return this.#initiatorType;
  }

  get workerStart() { return PerformanceResourceTiming.#of(this).finalServiceWorkerStartTime; }

  get redirectStart() { return PerformanceResourceTiming.#of(this).redirectStartTime; }

  get redirectEnd() { return PerformanceResourceTiming.#of(this).redirectEndTime; }

  get fetchStart() { return PerformanceResourceTiming.#of(this).postRedirectStartTime; }

  get domainLookupStart() {
    return PerformanceResourceTiming.#of(this).finalConnectionTimingInfo?.domainLookupStartTime;
  }

  get domainLookupEnd() {
    return PerformanceResourceTiming.#of(this).finalConnectionTimingInfo?.domainLookupEndTime;
  }

  get connectStart() {
    return PerformanceResourceTiming.#of(this).finalConnectionTimingInfo?.connectionStartTime;
  }

  get connectEnd() {
    return PerformanceResourceTiming.#of(this).finalConnectionTimingInfo?.connectionEndTime;
  }

  get secureConnectionStart() {
    return PerformanceResourceTiming.#of(this).finalConnectionTimingInfo?.secureConnectionStartTime;
  }

  get nextHopProtocol() {
    return PerformanceResourceTiming.#of(this).finalConnectionTimingInfo?.ALPNNegotiatedProtocol;
  }

  get requestStart() { return PerformanceResourceTiming.#of(this).finalNetworkRequestStartTime; }

  get finalResponseHeadersStart() { return PerformanceResourceTiming.#of(this).finalNetworkResponseStartTime; }

  get firstInterimResponseStart() {
    return PerformanceResourceTiming.#of(this).firstInterimNetworkResponseStartTime ?? 0;
  }

  get responseStart() {
    const timing = PerformanceResourceTiming.#of(this);
    return timing.firstInterimNetworkResponseStartTime || timing.finalNetworkResponseStartTime;
  }

  get responseEnd() { return PerformanceResourceTiming.#of(this).endTime; }

  get encodedBodySize() { return PerformanceResourceTiming.#of(this).encodedBodySize; }

  get decodedBodySize() { return PerformanceResourceTiming.#of(this).decodedBodySize; }

  get transferSize() {
    const timing = PerformanceResourceTiming.#of(this);
    if (this.#cacheMode === 'local') return 0;
    if (this.#cacheMode === 'validated') return 300;
    return timing.encodedBodySize + 300; // The standard's estimate for the headers.
  }

  get deliveryType() {
    PerformanceResourceTiming.#of(this);
    return this.#response.deliveryType;
  }

  get responseStatus() {
    PerformanceResourceTiming.#of(this);
    return this.#response.responseStatus;
  }

  get renderBlockingStatus() {
    return PerformanceResourceTiming.#of(this).renderBlocking === true ? 'blocking' : 'non-blocking';
  }

  get contentType() {
    PerformanceResourceTiming.#of(this);
    return this.#response.bodyInfo?.contentType ?? '';
  }

  get contentEncoding() {
    PerformanceResourceTiming.#of(this);
    return this.#response.bodyInfo?.contentEncoding ?? '';
  }

  toJSON() {
    PerformanceResourceTiming.#of(this);
    return {
      name: this.name,
      entryType: this.entryType,
      startTime: this.startTime,
      duration: this.duration,
      initiatorType: this.initiatorType,
      nextHopProtocol: this.nextHopProtocol,
      workerStart: this.workerStart,
      redirectStart: this.redirectStart,
      redirectEnd: this.redirectEnd,
      fetchStart: this.fetchStart,
      domainLookupStart: this.domainLookupStart,
      domainLookupEnd: this.domainLookupEnd,
      connectStart: this.connectStart,
      connectEnd: this.connectEnd,
      secureConnectionStart: this.secureConnectionStart,
      requestStart: this.requestStart,
      finalResponseHeadersStart: this.finalResponseHeadersStart,
      firstInterimResponseStart: this.firstInterimResponseStart,
      responseStart: this.responseStart,
      responseEnd: this.responseEnd,
      transferSize: this.transferSize,
      encodedBodySize: this.encodedBodySize,
      decodedBodySize: this.decodedBodySize,
      deliveryType: this.deliveryType,
      responseStatus: this.responseStatus,
      renderBlockingStatus: this.renderBlockingStatus,
      contentType: this.contentType,
      contentEncoding: this.contentEncoding,
    };
  }
}

ObjectDefineProperties(PerformanceResourceTiming.prototype, {
  initiatorType: kEnumerableProperty,
  nextHopProtocol: kEnumerableProperty,
  workerStart: kEnumerableProperty,
  redirectStart: kEnumerableProperty,
  redirectEnd: kEnumerableProperty,
  fetchStart: kEnumerableProperty,
  domainLookupStart: kEnumerableProperty,
  domainLookupEnd: kEnumerableProperty,
  connectStart: kEnumerableProperty,
  connectEnd: kEnumerableProperty,
  secureConnectionStart: kEnumerableProperty,
  requestStart: kEnumerableProperty,
  finalResponseHeadersStart: kEnumerableProperty,
  firstInterimResponseStart: kEnumerableProperty,
  responseStart: kEnumerableProperty,
  responseEnd: kEnumerableProperty,
  transferSize: kEnumerableProperty,
  encodedBodySize: kEnumerableProperty,
  decodedBodySize: kEnumerableProperty,
  deliveryType: kEnumerableProperty,
  responseStatus: kEnumerableProperty,
  renderBlockingStatus: kEnumerableProperty,
  contentType: kEnumerableProperty,
  contentEncoding: kEnumerableProperty,
  toJSON: kEnumerableProperty,
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'PerformanceResourceTiming' },
});

function markResourceTiming(timingInfo, requestedUrl, initiatorType, global, cacheMode, bodyInfo, responseStatus,
  deliveryType = '') {
  assert(cacheMode === '' || cacheMode === 'local', "cache must be an empty string or 'local'");
  const entry = new PerformanceResourceTiming(kConstruct, requestedUrl, initiatorType, timingInfo, cacheMode,
    { bodyInfo, responseStatus, deliveryType });
  enqueue(entry);
  bufferResourceTiming(entry);
  return entry;
}

module.exports = { PerformanceResourceTiming, markResourceTiming };
