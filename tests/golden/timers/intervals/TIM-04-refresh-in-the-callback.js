'use strict';
// refresh() in the callback of an interval changes nothing: it is inserted again afterwards.
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
let count = 0;
const interval = setInterval(() => {
  console.log('interval', ++count);
  interval.refresh();
  setTimeout((call) => console.log('timeout of', call), 20, count);
  if (count === 3) clearInterval(interval);
  sleep(40);
}, 20);
let again = 0;
const timeout = setTimeout(() => {
  console.log('timeout', ++again);
  if (again < 3) timeout.refresh();
}, 300);
const cleared = setInterval(() => {
  console.log('cleared');
  clearInterval(cleared);
  cleared.refresh();
}, 450);
