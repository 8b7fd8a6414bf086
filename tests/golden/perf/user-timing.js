'use strict';
const { performance, PerformanceObserver, PerformanceEntry, PerformanceMark, PerformanceMeasure } = require('node:perf_hooks');

console.log(performance === globalThis.performance, PerformanceEntry === globalThis.PerformanceEntry, PerformanceMark === globalThis.PerformanceMark);
const before = performance.now();
console.log(before > 0, performance.now() >= before, Math.abs(performance.timeOrigin + performance.now() - Date.now()) < 1000);
const detail = { x: [1] };
const a = performance.mark('a', { startTime: 0.125, detail });
detail.x.push(2);
console.log(a, a.detail, a instanceof PerformanceMark, a instanceof PerformanceEntry, JSON.stringify(a));
performance.mark('b', { startTime: 0.75 });
performance.mark('a', { startTime: 0.25 });
console.log(performance.measure('a to b', 'a', 'b'));
console.log(performance.measure('from zero', undefined, 'b').startTime, performance.measure('length', { start: 'a', duration: 3 }).duration, performance.measure('back', { end: 'b', duration: 5 }).startTime);
console.log(performance.measure('numbers', { start: 1, end: 4, detail: 'd' }), performance.measure('now', 'b').duration > 0, performance.measure('all').startTime);
console.log(performance.getEntries().filter((e) => e.name !== 'now').map((e) => `${e.entryType} ${e.name}`).slice(0, 12));
console.log(performance.getEntriesByName('a').map((e) => e.startTime), performance.getEntriesByName('a', 'measure'), performance.getEntriesByType('mark').length, performance.getEntriesByType('other'));
performance.clearMarks('a');
console.log(performance.getEntriesByType('mark').map((e) => e.name));
performance.clearMeasures('now');
performance.clearMeasures();
performance.clearMarks();
console.log(performance.getEntries());

const observer = new PerformanceObserver((list, self) => {
  console.log('observed', list.getEntries().map((e) => e.name), self === observer, list.getEntriesByName('one').length, list.getEntriesByType('measure').length);
  observer.disconnect();
  performance.mark('unseen');
  console.log(observer);
  const late = new PerformanceObserver((entries) => {
    console.log('buffered', entries.getEntries().map((e) => e.name));
    late.disconnect();
    functions();
  });
  late.observe({ type: 'mark', buffered: true });
});
observer.observe({ entryTypes: ['mark', 'measure'] });
performance.mark('two', { startTime: 2 });
performance.mark('one', { startTime: 1 });
performance.measure('m', { start: 1, end: 2 });
console.log(observer.takeRecords().length, observer.takeRecords().length);
performance.mark('two', { startTime: 2 });
performance.mark('one', { startTime: 1 });
performance.measure('m', { start: 1, end: 2 });
process.nextTick(() => console.log('tick before the observer'));

function functions() {
  const watch = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) console.log(entry.name, entry.entryType, entry.duration >= 0, entry.detail, entry[0]);
    watch.disconnect();
  });
  watch.observe({ entryTypes: ['function'] });
  const timed = performance.timerify(function sum(x, y) { return x + y + this.z; });
  console.log(timed.name, timed.length, timed.call({ z: 3 }, 1, 2));
  class Point { constructor(x) { this.x = x; } }
  console.log(new (performance.timerify(Point))(7));
  const asynchronous = performance.timerify(async function later(v) { return v; });
  asynchronous('value').then(console.log);
  try { performance.timerify(() => { throw new Error('thrown'); })(); } catch (err) { console.log(err.message); }
}
console.log(PerformanceObserver.supportedEntryTypes);
