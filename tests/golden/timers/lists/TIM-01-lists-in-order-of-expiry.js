'use strict';
// Lists run in order of the expiry of their first timers, whichever was made first.
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const delays = [400, 800, 200, 800, 400, 1, 0, 200];
for (const delay of delays) setTimeout(() => console.log(delay), delay);
sleep(60);
for (const delay of delays) setTimeout(() => console.log(delay, 'later'), delay);
sleep(1000);
