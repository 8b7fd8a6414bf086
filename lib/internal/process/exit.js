'use strict';
// process.exit, exitCode, reallyExit, abort.
const { Error, NumberIsNaN, ObjectDefineProperty, StringPrototypeIndexOf, StringPrototypeSlice } = primordials;
const binding = internalBinding('process');
const { emit } = require('internal/async_hooks');
const { hasFlag } = require('internal/options');
const { validateInteger } = require('internal/validators');

let exitCode;

// Accepts integers and strings that contain one, as Node does. Returns the number, or undefined for none.
function checkCode(code, name) {
  if (code === null || code === undefined) return undefined;
  if (typeof code === 'string' && code !== '') {
    const number = +code;
    if (!NumberIsNaN(number)) code = number;
  }
  validateInteger(code, name);
  return code | 0;
}

// Implements --trace-exit.
function traceExit(code) {
  const { threadId } = internalBinding('worker');
  const id = threadId();
  const { stack } = new Error('');
  const frames = StringPrototypeSlice(stack, StringPrototypeIndexOf(stack, '\n') + 1);
  internalBinding('stdio').writeString(
    2,
    `(node:${process.pid}${id === 0 ? '' : `, thread:${id}`}) WARNING: Exited the environment with code ${code}\n${frames}\n`);
}

function reallyExit(code) {
  if (hasFlag('trace-exit')) traceExit(code | 0);
  if (emit.over !== null) require('internal/trace/record').onExit();
  binding.exit(code | 0);
  // Native code terminates this thread during this loop.
  for (;;);
}

function exit(code) {
  checkCode(code, 'code');
  if (arguments.length !== 0 && code !== undefined) process.exitCode = code;
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
    exitCode = checkCode(value, 'code');
  },
});
