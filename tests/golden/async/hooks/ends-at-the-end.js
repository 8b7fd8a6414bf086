'use strict';
// A resource that ends when the loop has no turn left is still reported, before 'exit'.
const { createHook, AsyncResource } = require('async_hooks');
let ends = 0;
createHook({ init() {}, destroy() { ends++; } }).enable();
clearImmediate(setImmediate(() => console.log('no')));
new AsyncResource('mine').emitDestroy();
process.on('exit', () => console.log('ends', ends));
