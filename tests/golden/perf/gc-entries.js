'use strict';
// Entries for the garbage collector, and for resources beyond the limit.
const { PerformanceObserver, constants, performance } = require('perf_hooks');

const observer = new PerformanceObserver((list) => {
  const forced = list.getEntries().find((entry) => entry.detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED);
  observer.disconnect();
  console.log(forced.name, forced.entryType, typeof forced.startTime, typeof forced.duration);
  console.log(Object.keys(forced.detail), forced.detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR);
  console.log(forced.kind === forced.detail.kind, forced.flags === forced.detail.flags);
  forced.kind = 77;
  console.log(forced.kind, forced.detail.kind === 77);
  resources();
});
process.on('warning', (warning) => { console.log(warning.name, warning.code, warning.message); });
observer.observe({ entryTypes: ['gc'] });
global.gc();
const alive = setTimeout(() => {}, 10000);

const mark = (time) => performance.markResourceTiming(
  { startTime: time, endTime: time, finalConnectionTimingInfo: {} }, 'https://example.org', '', globalThis, '');
const kept = () => performance.getEntriesByType('resource').map((entry) => entry.startTime);
const turn = () => new Promise((resolve) => { setImmediate(() => setImmediate(resolve)); });

async function resources() {
  clearTimeout(alive);
  for (const size of [null, undefined, true, false, -1, 0.5, Infinity, NaN, '', 'foo', {}, [], () => {}, 2.7, '3', 2 ** 32 + 1]) {
    performance.setResourceTimingBufferSize(size);
    performance.clearResourceTimings();
    for (let i = 1; i < 5; i++) mark(i);
    console.log(size, kept());
    await turn();
    console.log(kept());
  }
  for (const react of [
    () => performance.clearResourceTimings(),
    () => performance.setResourceTimingBufferSize(3),
    () => performance.setResourceTimingBufferSize(1),
    () => {},
  ]) {
    performance.clearResourceTimings();
    performance.setResourceTimingBufferSize(2);
    let events = 0;
    const listener = (event) => {
      if (++events > 1) return;
      console.log(event.type, kept());
      performance.removeEventListener('resourcetimingbufferfull', listener);
      react();
    };
    performance.addEventListener('resourcetimingbufferfull', listener);
    for (let i = 1; i < 5; i++) mark(i);
    await turn();
    console.log(react.toString(), events, kept());
  }
}
