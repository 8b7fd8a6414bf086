'use strict';
// Reporting must not fail over what is reported.
process.on('exit', (code) => console.log('exit', code));
throw Object.defineProperties({}, {
  stack: { get() { throw new Error('stack'); }, enumerable: true },
  message: { get() { throw new Error('message'); }, enumerable: true },
});
