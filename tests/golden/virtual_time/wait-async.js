'use strict';
const view = new Int32Array(new SharedArrayBuffer(4));
const hours = () => Math.floor(performance.now() / 3_600_000);
setTimeout(() => console.log('timer', hours()), 3 * 3_600_000);
Atomics.waitAsync(view, 0, 0, 3_600_000).value.then((outcome) => console.log(outcome, hours()));
