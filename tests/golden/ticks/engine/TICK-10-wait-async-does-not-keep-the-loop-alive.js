'use strict';
const view = new Int32Array(new SharedArrayBuffer(4));
Atomics.waitAsync(view, 0, 0, 50).value.then((outcome) => console.log(outcome));
process.on('beforeExit', () => console.log('beforeExit'));
process.on('exit', (code) => console.log('exit', code));
