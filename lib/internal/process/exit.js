'use strict';
// process.exit, exitCode, reallyExit, abort.
const { NumberIsNaN, ObjectDefineProperty } = primordials;
const binding = internalBinding('process');
const { emit } = require('internal/async_hooks');
const { validateInteger } = require('internal/validators');

let exitCode;

// Node takes integers, and strings that hold one.
function checkCode(code, name) {
  if (code === null || code === undefined) return;
  if (typeof code === 'string' && code !== '') {
    const number = +code;
    if (!NumberIsNaN(number)) code = number;
  }
  validateInteger(code, name);
}

function reallyExit(code) {
  if (emit.over !== null) require('internal/trace/record').onExit();
  binding.exit(code | 0);
  // Native code stops us at the next turn of this loop.
  for (;;);
}

function exit(code) {
  checkCode(code, 'code');
  if (arguments.length !== 0 && code !== undefined) process.exitCode = code;
  // An end that was asked for is no sign of an await that nothing will answer.
  process.off('exit', require('internal/modules/run_main').handleProcessExit);
  if (!process._exiting) {
    process._exiting = true;
    require('internal/process/execution').emitAtEnd('exit', process.exitCode || 0);
  }
  // A listener may have changed the code.
  process.reallyExit(process.exitCode || 0);
}

module.exports = {
  exit,
  reallyExit,
  abort() { binding.abort(); },
};
ObjectDefineProperty(module.exports, 'exitCode', {
  __proto__: null,
  enumerable: true,
  configurable: false,
  get() { return exitCode; },
  set(value) {
    checkCode(value, 'code');
    exitCode = value;
  },
});
