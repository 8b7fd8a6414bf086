'use strict';

// Handles promises that listeners return if the emitter captures rejections, and 'error' events without a listener.

const {
  ArrayPrototypeJoin,
  ArrayPrototypeSlice,
  ArrayPrototypeSplice,
  Error,
  ErrorCaptureStackTrace,
  FunctionPrototypeCall,
  ObjectDefineProperty,
  ReflectApply,
  StringPrototypeSplit,
  Symbol,
  SymbolFor,
} = primordials;

const {
  codes: { ERR_UNHANDLED_ERROR },
  kEnhanceStackBeforeInspector,
} = require('internal/errors');

const kCapture = Symbol('kCapture');
const kRejection = SymbolFor('nodejs.rejection');

// Watches a promise (any object with `then`) that a listener returned.
function addCatch(emitter, promise, type, args) {
  try {
    const { then } = promise;
    if (typeof then !== 'function') return;
    FunctionPrototypeCall(then, promise, undefined, (error) => {
      // In a separate tick, so that an error thrown here is an uncaught exception and not another rejection.
      process.nextTick(emitRejection, emitter, error, type, args);
    });
  } catch (error) {
    emitter.emit('error', error);
  }
}

function emitRejection(emitter, error, type, args) {
  if (typeof emitter[kRejection] === 'function') {
    ReflectApply(emitter[kRejection], emitter, [error, type, ...args]);
    return;
  }
  // Rejections of 'error' listeners are not captured, to avoid an infinite loop.
  const before = emitter[kCapture];
  try {
    emitter[kCapture] = false;
    emitter.emit('error', error);
  } finally {
    emitter[kCapture] = before;
  }
}

// Finds a run of at least four lines of `own` that also occurs in `original`. Returns [length, start in own].
function commonRun(original, own) {
  for (let i = 0; i < own.length - 3; i++) {
    let at = -1;
    for (let j = 0; j < original.length; j++) {
      if (original[j] === own[i]) {
        at = j;
        break;
      }
    }
    if (at === -1) continue;
    const rest = original.length - at;
    if (rest > 3) {
      let length = 1;
      const limit = rest < own.length - i ? rest : own.length - i;
      while (length < limit && own[i + length] === original[at + length]) length++;
      if (length > 3) return { length, start: i };
    }
  }
  return { length: 0, start: 0 };
}

// Returns the stack of an error that was emitted, not thrown: where it was created, then where it was emitted. Lines
// that both have in common are shown only once.
function describeEmission(emitter, error, own) {
  let origin = '';
  try {
    const { name } = emitter.constructor;
    if (name !== 'EventEmitter') origin = ` on ${name} instance`;
  } catch {
    // Ignored: a constructor that cannot be read only affects the message.
  }
  const separator = `\nEmitted 'error' event${origin} at:\n`;
  const originalLines = ArrayPrototypeSlice(StringPrototypeSplit(error.stack, '\n'), 1);
  const lines = ArrayPrototypeSlice(StringPrototypeSplit(own.stack, '\n'), 1);
  const { length, start } = commonRun(originalLines, lines);
  if (length > 0) {
    ArrayPrototypeSplice(lines, start + 1, length - 2, '    [... lines matching original stack trace ...]');
  }
  return `${error.stack}${separator}${ArrayPrototypeJoin(lines, '\n')}`;
}

// Returns the error to throw for an 'error' event without a listener.
function unhandledError(emitter, emit, error) {
  if (error instanceof Error) {
    try {
      const own = {};
      ErrorCaptureStackTrace(own, emit);
      ObjectDefineProperty(error, kEnhanceStackBeforeInspector, {
        __proto__: null,
        value: () => describeEmission(emitter, error, own),
        configurable: true,
      });
    } catch {
      // A frozen error is thrown unchanged.
    }
    return error;
  }
  let text;
  try {
    text = require('internal/util/inspect').inspect(error);
  } catch {
    text = error;
  }
  const wrapped = new ERR_UNHANDLED_ERROR(text);
  wrapped.context = error;
  return wrapped;
}

module.exports = { addCatch, kCapture, kRejection, unhandledError };
