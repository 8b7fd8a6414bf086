'use strict';
// Uncaught exceptions of code in contexts: the report, and listeners of the process.
const vm = require('vm');

process.once('uncaughtException', (error, origin) => {
  console.log('uncaught', error.message, error instanceof Error, origin);
  vm.runInNewContext('function thrower() {\n  throw new TypeError("reported")\n}\nthrower()', {}, 'reported.js');
});
setTimeout(vm.runInNewContext('() => { throw new Error("in a timer") }'), 1);
process.on('exit', (code) => console.log('exit', code));
