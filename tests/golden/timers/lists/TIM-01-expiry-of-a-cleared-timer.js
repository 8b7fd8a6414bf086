'use strict';
// A list keeps the expiry of its first timer when that is cleared, so the list runs before one that expires earlier than
// the timers that are left.
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const cleared = setTimeout(() => console.log('never'), 200);
sleep(50);
setTimeout(() => console.log('200, due last'), 200);
setTimeout(() => console.log('180'), 180);
clearTimeout(cleared);
sleep(400);
