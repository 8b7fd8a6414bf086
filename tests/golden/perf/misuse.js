'use strict';
const { performance: p, PerformanceObserver, PerformanceEntry, PerformanceMark, PerformanceMeasure, Performance, PerformanceObserverEntryList, createHistogram, monitorEventLoopDelay } = require('node:perf_hooks');

const attempt = (what) => {
  try { console.log(what()); } catch (err) { console.log(err.name, err.code, err.message); }
};
p.mark('a', { startTime: 1 });
const o = new PerformanceObserver(() => {});
const h = createHistogram();
[
  () => p.mark(), () => p.mark('nodeStart'), () => p.mark('x', 5), () => p.mark('x', { startTime: -1 }), () => p.mark('x', { startTime: 'x' }), () => p.mark(Symbol('x')), () => p.mark('x', { detail: () => {} }), () => p.mark('x', { get detail() { throw new Error('getter'); } }),
  () => p.measure(), () => p.measure('m', 'missing'), () => p.measure('m', { start: 1, end: 3, duration: 2 }), () => p.measure('m', { start: 1 }, 'a'), () => p.measure('m', { start: -1 }), () => p.measure('m', 'a', 'missing'), () => p.measure('m', { start: 1n }), () => p.measure(Symbol('m')), () => p.measure('m', 5).startTime, () => p.measure('m', Symbol('s')).startTime, () => p.measure('m', 'a', true),
  () => p.getEntriesByName(), () => p.getEntriesByType(), () => p.clearMarks('nodeStart'), () => p.now.call({}), () => Performance.prototype.timeOrigin, () => p.mark.call(null, 'x'), () => p.setResourceTimingBufferSize(),
  () => new PerformanceEntry(), () => new PerformanceMark(), () => new PerformanceMeasure(), () => new Performance(), () => new PerformanceObserverEntryList(), () => new PerformanceObserver(), () => PerformanceEntry.prototype.name, () => PerformanceMark.prototype.detail,
  () => o.observe(), () => o.observe(5), () => o.observe({}), () => o.observe({ entryTypes: 5 }), () => o.observe({ entryTypes: ['mark'], type: 'mark' }), () => o.observe({ type: 'mark' }), () => o.observe({ entryTypes: ['mark'] }), () => o.disconnect(), () => o.observe({ entryTypes: ['mark'] }), () => o.observe({ type: 'mark' }), () => o.disconnect(),
  () => p.timerify(), () => p.timerify(5), () => p.timerify(() => {}, 5), () => p.timerify(() => {}, { histogram: {} }),
  () => createHistogram(5), () => createHistogram({ lowest: 0 }), () => createHistogram({ lowest: 'a' }), () => createHistogram({ highest: 1 }), () => createHistogram({ figures: 6 }), () => createHistogram({ lowest: 5n, highest: 9n }),
  () => h.record(), () => h.record(0), () => h.record(1.5), () => h.record('a'), () => h.record(2 ** 60), () => h.record(0n), () => h.percentile(), () => h.percentile(0), () => h.percentile(101), () => h.percentile(NaN), () => h.add({}), () => new h.constructor(),
  () => monitorEventLoopDelay(5), () => monitorEventLoopDelay({ resolution: 0 }), () => monitorEventLoopDelay({ resolution: 'a' }),
].forEach(attempt);
