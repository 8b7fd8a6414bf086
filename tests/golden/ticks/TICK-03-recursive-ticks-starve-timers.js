'use strict';
// The timer is long due, and an immediate waits, but ticks come first for as long as there are any.
setTimeout(() => console.log('timer'), 1);
setImmediate(() => console.log('immediate'));
const end = Date.now() + 30;
let ticks = 0;
process.nextTick(function again() {
  ticks++;
  if (Date.now() < end || ticks < 1000) process.nextTick(again);
  else console.log('ticks are over, more than 100:', ticks > 100);
});
