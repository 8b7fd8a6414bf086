'use strict';
const { createHistogram, monitorEventLoopDelay, performance, constants } = require('node:perf_hooks');
const util = require('util');

const empty = createHistogram();
console.log(empty, empty.minBigInt, empty.percentile(50));
const h = createHistogram();
for (let i = 1; i <= 10000; i++) h.record(i * 37);
console.log(h, [1, 10, 25, 50, 90, 99, 99.9, 100].map((p) => h.percentile(p)), h.percentileBigInt(99), h.countBigInt, h.maxBigInt);
const narrow = createHistogram({ lowest: 1, highest: 1000 });
for (const v of [1, 5, 10, 999, 1000, 1001, 2000, 5000]) narrow.record(v);
console.log(narrow, JSON.stringify(narrow), narrow.percentilesBigInt);
for (const figures of [1, 2, 3, 4, 5]) {
  const f = createHistogram({ figures });
  f.record(123456789);
  f.record(987654321n);
  console.log(figures, f.min, f.max, f.mean, f.stddev);
}
const big = createHistogram({ lowest: 1n, highest: 2n ** 62n });
big.record(2n ** 61n + 12345n);
console.log(big.min, big.max, big.minBigInt, big.maxBigInt);
const sum = createHistogram();
sum.record(7);
sum.add(h);
console.log(sum.count, sum.min, sum.max, sum.mean);
sum.reset();
console.log(sum.count, sum.exceeds);
sum.recordDelta();
sum.recordDelta();
console.log(sum.count, sum.min > 0);
console.log(util.inspect(sum, { depth: -1 }));
const timed = createHistogram();
const f = performance.timerify(() => 1, { histogram: timed });
f(); f(); f();
console.log(timed.count, timed.min >= 1);
console.log(constants);
console.log(performance.eventLoopUtilization());

const delay = monitorEventLoopDelay({ resolution: 5 });
console.log(delay.enable(), delay.enable());
setTimeout(function look() {
  // All of the time may have gone by before the first poll.
  if (performance.eventLoopUtilization().idle === 0 || delay.count === 0) return void setTimeout(look, 60);
  console.log(delay.disable(), delay.disable(), delay.count > 0, delay.min >= 0, delay.max >= delay.min, delay.exceeds, delay.mean > 0);
  const { idle, active, utilization } = performance.eventLoopUtilization();
  console.log(idle > 0, active > 0, utilization > 0 && utilization <= 1);
  const later = performance.eventLoopUtilization({ idle, active });
  console.log(later.idle >= 0, later.active >= 0);
  const { nodeTiming } = performance;
  console.log(Object.keys(nodeTiming), nodeTiming.loopStart > 0, nodeTiming.bootstrapComplete > 0, nodeTiming.loopExit, nodeTiming.idleTime > 0, nodeTiming.entryType);
  console.log(Object.keys(performance.toJSON()), nodeTiming.uvMetricsInfo.loopCount > 0);
}, 60);
