// Timers run by due time, never early, and late if another callback blocks the loop.
//   ./dev run examples/loop/2-timers.js
'use strict';

function spin(ms) {
  const start = Date.now();
  while (Date.now() - start < ms);
}

setTimeout(function after30() {}, 30);

setTimeout(function after10() {
  spin(25); // No other callback can run: after30 will be late.
  setTimeout(function inner() {}, 0); // Due at once, and still one turn later.
}, 10);

let times = 0;
const interval = setInterval(function every15() {
  if (++times === 3) clearInterval(interval);
}, 15);
