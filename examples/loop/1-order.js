// The order of callbacks: one of each kind, scheduled in reverse.
//   ./dev run examples/loop/1-order.js
'use strict';

setImmediate(function anImmediate() {
  console.log('5 or 4: an immediate, in check');
});

setTimeout(function aTimer() {
  console.log('4 or 5: a timer, in timers');
}, 0);

Promise.resolve().then(function aPromise() {
  console.log('3: a promise, when no tick is left');
});

process.nextTick(function aTick() {
  console.log('2: a tick, as soon as the script has ended');
});

console.log('1: the main script');
