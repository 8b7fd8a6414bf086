// The order of callbacks. Run it, then with --ticks=per-phase: the order of Node 10.
//   ./dev run examples/order.js
'use strict';

setTimeout(() => {
  console.log('timer 1');
  process.nextTick(() => console.log('  tick of timer 1'));
  Promise.resolve().then(() => console.log('  promise of timer 1'));
}, 5);
setTimeout(() => console.log('timer 2'), 5);

setImmediate(() => console.log('immediate: the check phase of the first turn'));
process.nextTick(() => console.log('tick: after the main script, before the loop'));
Promise.resolve().then(() => console.log('promise: after the ticks'));
console.log('main script');
