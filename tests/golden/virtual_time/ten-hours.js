'use strict';
// Ten sleeps of an hour each end at once and report exactly the time they slept.
const start = Date.now();
const startTick = process.hrtime.bigint();
const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
(async () => {
  for (let hour = 0; hour < 10; hour++) await sleep(3600000);
  console.log(Date.now() - start, String((process.hrtime.bigint() - startTick) / 1000000n));
})();
