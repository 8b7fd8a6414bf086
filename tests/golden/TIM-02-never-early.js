'use strict';
// The delay is a lower bound. (Node counts in whole milliseconds, so its timers may be early by a part of one.)
const slack = process.versions.rondo === undefined ? 1 : 0;
const early = [];
let left = 0;
for (const delay of [1, 2, 3, 5, 8, 13, 21, 34]) {
  for (let i = 0; i < 5; i++) {
    left++;
    const start = process.hrtime.bigint();
    setTimeout(() => {
      const took = Number(process.hrtime.bigint() - start) / 1e6;
      if (took < delay - slack) early.push(`${delay} ms after ${took} ms`);
      if (--left === 0) console.log('early:', early.join(', ') || 'none');
    }, delay);
  }
}
