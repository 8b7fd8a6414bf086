'use strict';
// A hook that throws ends the program.
const { createHook } = require('async_hooks');
process.on('uncaughtException', () => console.log('never: it cannot be caught'));
process.on('exit', (code) => console.log('exit', code));
createHook({
  before() {
    throw new Error('from a hook');
  },
}).enable();
setTimeout(() => console.log('never'), 1);
