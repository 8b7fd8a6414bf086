'use strict';
// After a stall all timers are due. Those of 40 ms are in one list, which runs before the list of 60 ms.
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const came = [];
setTimeout(() => came.push('40 from 0'), 40);
setTimeout(() => came.push('60 from 0'), 60);
sleep(30);
setTimeout(() => came.push('40 from 30'), 40);
sleep(100);
process.on('exit', () => console.log(came.join(', ')));
