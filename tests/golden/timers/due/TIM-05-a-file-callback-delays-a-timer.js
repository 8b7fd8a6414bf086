'use strict';
// A timer that falls due while the callback of a file takes 10 ms runs when that has ended: late, but not lost, and
// before anything that was scheduled later.
const fs = require('node:fs');
fs.readFile(__filename, () => {
  const start = Date.now();
  setTimeout(() => {
    console.log('the timer of 5 ms', Date.now() - start >= 10);
    fs.readFile(__filename, () => console.log('the next file'));
  }, 5);
  setTimeout(() => console.log('a timer of 6 ms'), 6);
  setImmediate(() => console.log('the immediate'));
  // From now on, for the timers count from when they were set.
  for (const begun = Date.now(); Date.now() - begun < 10;);
  console.log('10 ms later');
});
