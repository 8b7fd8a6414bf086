'use strict';
// The delay is a lower bound in whole milliseconds of the loop's clock: a timer is early by less than one of them.
const early = [];
let left = 0;
for (const delay of [1, 2, 3, 5, 8, 13, 21, 34]) {
  for (let i = 0; i < 5; i++) {
    left++;
    const start = process.hrtime.bigint();
    setTimeout(() => {
      const took = Number(process.hrtime.bigint() - start) / 1e6;
      if (took <= delay - 1) early.push(`${delay} ms after ${took} ms`);
      if (--left === 0) console.log('early:', early.join(', ') || 'none');
    }, delay);
  }
}
