'use strict';
// Formats error.stack as Node does, without frames of lib, which are not useful to users.
const {
  ErrorPrototypeToString,
  ObjectDefineProperty,
  ObjectPrototypeHasOwnProperty,
  StringPrototypeStartsWith,
  globalThis,
} = primordials;
const { kIsNodeError, overrideStackTrace } = require('internal/errors');
const { hasFlag } = require('internal/options');
const sourceMaps = require('internal/source_map/cache');

function isOurs(frame) {
  const file = frame?.getFileName?.();
  return typeof file === 'string' && file.length > 5 && StringPrototypeStartsWith(file, 'node:') &&
    (StringPrototypeStartsWith(file, 'node:internal/') || StringPrototypeStartsWith(file, 'node:vendor/'));
}

function header(error) {
  try {
    if (kIsNodeError in error) return `${error.name} [${error.code}]: ${error.message}`;
    return ErrorPrototypeToString(error);
  } catch {
    return '<error>';
  }
}

function describe(frames, withOurs) {
  let text = '';
  for (let i = 0; i < frames.length; i++) {
    if (!withOurs && isOurs(frames[i])) continue;
    text += `\n    at ${sourceMaps.isEnabled() ? sourceMaps.describeFrame(frames, i) : frames[i]}`;
  }
  return text;
}

// Frames of lib are shown only with --expose-internals.
function defaultFormat(error, frames) {
  return header(error) + describe(frames, hasFlag('expose-internals'));
}

// V8 calls this when a stack is first read. `global` is that of the error's context if it is one of vm.
function prepareStackTrace(error, frames, global = globalThis) {
  const override = overrideStackTrace?.get(error);
  if (override !== undefined) {
    overrideStackTrace.delete(error);
    return override(error, frames);
  }
  const { Error } = global;
  if (Error?.prepareStackTrace === ErrorPrepareStackTrace) return defaultFormat(error, frames);
  if (typeof Error?.prepareStackTrace === 'function' && ObjectPrototypeHasOwnProperty(Error, 'prepareStackTrace')) {
    return Error.prepareStackTrace(error, frames);
  }
  return defaultFormat(error, frames);
}

// The initial value of Error.prepareStackTrace. Programs may call it with frames of their own.
function ErrorPrepareStackTrace(error, trace) {
  return defaultFormat(error, trace);
}
ObjectDefineProperty(globalThis.Error, 'prepareStackTrace', {
  __proto__: null, value: ErrorPrepareStackTrace, writable: true, enumerable: false, configurable: true,
});

module.exports = { prepareStackTrace };
