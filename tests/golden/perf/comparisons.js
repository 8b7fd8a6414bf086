// Histograms: intervals, tests, ranges, bytes, and those of the latest numbers only. Statistics are printed to nine digits.
'use strict';
const { createHistogram, createSlidingWindowHistogram, importHistogram } = require('perf_hooks');

const round = (value) => JSON.parse(JSON.stringify(value ?? null, (key, item) =>
  (typeof item === 'number' ? +(key === 'pValue' ? item.toFixed(9) : item.toPrecision(9)) : item)));

function make(values, options) {
  const histogram = createHistogram(options);
  for (const value of values) histogram.record(value);
  return histogram;
}
const samples = {
  a: make([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
  b: make([5, 6, 7, 8, 9, 10, 11, 12, 13, 20]),
  none: createHistogram(),
  one: make([7]),
  same: make([5, 5, 5]),
  other: make([9, 9, 9, 9]),
  many: make(Array.from({ length: 1000 }, (_, i) => 1 + (i * 7919) % 10007)),
  more: make(Array.from({ length: 800 }, (_, i) => 1 + (i * 104729) % 8009)),
};

for (const [left, right] of [
  ['a', 'b'], ['b', 'a'], ['a', 'none'], ['none', 'a'], ['a', 'one'], ['one', 'one'], ['same', 'other'], ['a', 'a'], ['a', 'same'],
  ['many', 'more'],
]) {
  const x = samples[left];
  const y = samples[right];
  console.log(left, right, round({
    ks: x.ksTest(y), cohen: x.cohensD(y), cliff: x.cliffsD(y), mw: x.mannWhitneyTest(y), welch: x.welchTest(y, { confidence: 0.9 }),
  }));
}
for (const [name, x] of Object.entries(samples)) {
  console.log(name, round([x.meanCI(), x.meanCI({ confidence: 0.99 })]));
  console.log(name, round([x.percentileCI(50), x.percentileCI(90, { confidence: 0.8 }), x.percentileCI(100), x.percentileCI(1)]));
  console.log(name, x.linearBuckets(700), x.logBuckets(5, 3), x.logBuckets(1, 2));
}
console.log(Object.getPrototypeOf(samples.a.meanCI()), samples.a.linearBuckets(5));

const averaged = make([1, 8, 27, 64, 125, 216], { halfLife: 3, threshold: 50, lowest: 2, highest: 100000, figures: 2 });
for (const histogram of [samples.a, samples.none, averaged]) {
  const bytes = histogram.export();
  console.log(bytes.constructor.name, Buffer.from(bytes).toString('hex'));
  const read = importHistogram(bytes);
  console.log(read.constructor.name, JSON.stringify(read) === JSON.stringify(histogram));
  read.record(3);
  console.log(read.count, histogram.count);
}
const bytes = samples.a.export();
for (const data of [undefined, 'x', new Uint8Array(3), bytes.subarray(0, 20), new Uint8Array([0xa0])]) {
  try {
    console.log(importHistogram(data));
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}

const { a } = samples;
for (const call of [
  () => a.meanCI(1), () => a.meanCI({ confidence: 1 }), () => a.percentileCI(0), () => a.percentileCI(50, { confidence: '1' }),
  () => a.ksTest(1), () => a.welchTest(a, { confidence: 0 }), () => a.mannWhitneyTest(), () => a.cohensD({}), () => a.cliffsD(null),
  () => a.linearBuckets(0), () => a.logBuckets(1.5, 2), () => a.logBuckets(1, 1), () => a.meanCI.call({}), () => a.export.call({}),
  () => createSlidingWindowHistogram(), () => createSlidingWindowHistogram({}), () => createSlidingWindowHistogram({ chunks: 2 }),
  () => createSlidingWindowHistogram({ chunks: 0, recordsPerChunk: 1 }),
  () => createSlidingWindowHistogram({ chunks: 2, recordsPerChunk: 1, chunkDuration: 1 }),
  () => createSlidingWindowHistogram({ chunks: 2, recordsPerChunk: 0 }),
  () => createSlidingWindowHistogram({ chunks: 2, chunkDuration: 0 }),
  () => createSlidingWindowHistogram({ chunks: 2, recordsPerChunk: 2, figures: 9 }),
]) {
  try {
    console.log(call());
  } catch (error) {
    console.log(error.code, error.message);
  }
}

const window = createSlidingWindowHistogram({ chunks: 3, recordsPerChunk: 2 });
const seen = [];
for (let i = 1; i <= 10; i++) {
  window.record(i * 10);
  const { count, min, max } = window.snapshot();
  seen.push([count, min, max]);
}
console.log(JSON.stringify(seen), window.constructor.name, window.snapshot().constructor.name);
for (const value of [0, 'x', 1.5, 0n]) {
  try {
    window.record(value);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
window.reset();
console.log(window.snapshot().count);
const timed = createSlidingWindowHistogram({ chunks: 2, chunkDuration: 100_000 });
timed.record(5n);
timed.record(6);
console.log(timed.snapshot().count, timed.snapshot().max);
const brief = createSlidingWindowHistogram({ chunks: 2, chunkDuration: 1 });
brief.record(5);
setTimeout(() => console.log(brief.snapshot().count), 20);
