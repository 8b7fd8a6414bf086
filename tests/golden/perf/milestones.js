'use strict';
// When the process and its loop started and ended; and what is known of a resource.
const { performance, PerformanceResourceTiming } = require('node:perf_hooks');
const { nodeTiming } = performance;
const order = ['nodeStart', 'v8Start', 'environment', 'bootstrapComplete'].map((name) => nodeTiming[name]);
console.log(order.every((time, i) => time > (i === 0 ? 0 : order[i - 1])), order[3] < performance.now(), nodeTiming.loopStart, nodeTiming.loopExit);
setTimeout(() => console.log(nodeTiming.loopStart > order[3], nodeTiming.loopExit), 1);
process.on('beforeExit', () => console.log('before exit', nodeTiming.loopExit));
process.on('exit', () => console.log('exit', nodeTiming.loopExit > nodeTiming.loopStart, nodeTiming.loopExit <= performance.now()));

const connection = {
  domainLookupStartTime: 1, domainLookupEndTime: 2, connectionStartTime: 3, connectionEndTime: 4, secureConnectionStartTime: 4,
  ALPNNegotiatedProtocol: 'h2',
};
const timing = {
  startTime: 0, endTime: 9, finalServiceWorkerStartTime: 1, redirectStartTime: 1, redirectEndTime: 2, postRedirectStartTime: 3,
  finalConnectionTimingInfo: connection, finalNetworkRequestStartTime: 5, finalNetworkResponseStartTime: 6, encodedBodySize: 10,
  decodedBodySize: 11,
};
const body = { contentType: 'text/plain', contentEncoding: 'gzip' };
console.log(performance.markResourceTiming(timing, 'http://a/', 'fetch', globalThis, '', body, 200, 'cache'));
const { contentType, deliveryType, responseStatus } = performance.markResourceTiming(timing, 'http://a/', 'fetch', globalThis, 'local');
console.log([contentType, deliveryType, responseStatus]);
const early = { ...timing, firstInterimNetworkResponseStartTime: 5.5, renderBlocking: true };
const { firstInterimResponseStart, responseStart, renderBlockingStatus } =
  performance.markResourceTiming(early, 'http://a/', 'fetch', globalThis, '');
console.log([firstInterimResponseStart, responseStart, renderBlockingStatus]);
try {
  console.log(PerformanceResourceTiming.prototype.deliveryType);
} catch (error) {
  console.log(error.code);
}
