'use strict';
// A list whose last timer had no ref stays when that is cleared; one whose last timer had a ref does not.
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
clearTimeout(setTimeout(() => console.log('never'), 200).unref());
clearTimeout(setTimeout(() => console.log('never'), 300));
sleep(100);
setTimeout(() => console.log('200'), 200);
setTimeout(() => console.log('190'), 190);
setTimeout(() => console.log('300'), 300);
setTimeout(() => console.log('290'), 290);
sleep(500);
