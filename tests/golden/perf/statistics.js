'use strict';
// Statistics of histograms other than percentiles.
const { createHistogram, eventLoopUtilization, monitorEventLoopDelay, performance, timerify } = require('node:perf_hooks');
const tried = (fn) => { try { console.log(fn()); } catch (error) { console.log(error.name, error.code, error.message); } };

const histogram = createHistogram();
for (const value of [1, 5, 5, 10, 100, 1000, 12345]) histogram.record(value);
console.log([-1, 0, 1, 5, 7.5, 12344, 1e9].map((value) => histogram.cdf(value)), histogram.ccdf(10));
console.log([0, 5, 5.5, 12343, 12345].map((value) => histogram.countAt(value)));
console.log(histogram.percentilesAt([99, 50, 1, 50, 100]), histogram.percentilesAt([]));
for (const values of [[], [5], [5, 5], [5, 5, 7], [1, 2, 3, 40], [1, 1, 1, 1]]) {
  const one = createHistogram();
  for (const value of values) one.record(value);
  console.log(values, one.skewness.toFixed(12), one.kurtosis.toFixed(12), one.cdf(5), one.countAt(1));
}
const corrected = createHistogram();
corrected.recordCorrected(100, 30);
corrected.recordCorrected(5, 10);
corrected.recordCorrected(30n, 10n);
console.log(corrected.count, corrected.percentiles);
const a = createHistogram();
const b = createHistogram();
for (const value of [1, 2, 3, 4, 4]) a.record(value);
for (const value of [4, 2, 9]) b.record(value);
a.subtract(b);
console.log(a.count, a.min, a.max, a.percentiles);
b.subtract(b);
console.log(b.count, b.min, b.max);
const averaged = createHistogram({ halfLife: 10, threshold: 5 });
for (const value of [1, 10, 2, 20, 3]) averaged.record(value);
console.log(averaged.ewmaMean.toFixed(9), averaged.ewmaStddev.toFixed(9), averaged.ewmaErrorRate.toFixed(9), averaged.burnRate(0.9).toFixed(9));
averaged.reset();
console.log(averaged.ewmaMean, averaged.ewmaErrorRate, averaged.burnRate(0.5));
for (const options of [{ halfLife: -1 }, { halfLife: 'x' }, { threshold: -1 }, { lowest: 0n }, { highest: 2n ** 64n }, { highest: 0 }]) {
  tried(() => createHistogram(options));
}
tried(() => histogram.cdf('x'));
tried(() => histogram.countAt());
tried(() => histogram.percentilesAt(5));
tried(() => histogram.percentilesAt([0]));
tried(() => histogram.burnRate(1));
tried(() => histogram.subtract({}));
tried(() => histogram.recordCorrected(5n, 5));
tried(() => histogram.recordCorrected(5, 0));
tried(() => monitorEventLoopDelay({ samplePerIteration: 1 }));
{
  using delay = monitorEventLoopDelay();
  console.log(delay.enable(), delay.enable());
}
console.log(timerify === performance.timerify, Object.keys(eventLoopUtilization()));
