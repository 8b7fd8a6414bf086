// Ticks that queue ticks: the timer is due after one millisecond but runs only when they end.
//   ./dev run examples/loop/6-starving.js
'use strict';

setTimeout(function hungry() {
  console.log('at last');
}, 1);

let left = 20000;
process.nextTick(function again() {
  if (left-- > 0) process.nextTick(again);
});
