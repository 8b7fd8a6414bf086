'use strict';
// Time is truncated at both ends, so a stall of as many milliseconds as the delay is always enough.
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
setImmediate(function turn() {
  const delay = 1 + turns % 4;
  const came = [];
  setTimeout(() => came.push('timer'), delay);
  sleep(delay);
  setImmediate(() => {
    came.push('immediate');
    if (came.join() !== 'timer,immediate') console.log(delay, came);
    if (++turns < 40) setImmediate(turn);
    else console.log('all in time');
  });
});
let turns = 0;
