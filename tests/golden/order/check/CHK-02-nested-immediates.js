'use strict';
// Timers come between two rounds of immediates if they are due.
let round = 0;
setImmediate(function again() {
  console.log('round', ++round);
  if (round < 5) setImmediate(again);
});
setImmediate(() => {
  setImmediate(() => console.log('set by an immediate'));
  process.nextTick(() => setImmediate(() => console.log('set by its tick')));
  Promise.resolve().then(() => setImmediate(() => console.log('set by its promise')));
});
