'use strict';
const { PerformanceObserver, constants } = require('node:perf_hooks');

const kinds = new Set();
const observer = new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const isFirst = kinds.size === 0;
    kinds.add(entry.detail.kind);
    if (isFirst) console.log(entry.name, entry.entryType, entry.startTime > 0, entry.duration >= 0, Object.keys(entry.detail));
  }
  if (!kinds.has(constants.NODE_PERFORMANCE_GC_MAJOR)) return;
  console.log('a major collection');
  observer.disconnect();
  clearInterval(interval);
});
observer.observe({ entryTypes: ['gc'] });
const interval = setInterval(() => global.gc(), 2);
