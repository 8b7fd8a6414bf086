'use strict';
// Uncaught exceptions, and the end of the program.
const {
  ArrayPrototypePush,
  ErrorPrototypeToString,
  ObjectPrototypeToString,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
} = primordials;
const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET },
  fatalExceptionStackEnhancers,
} = require('internal/errors');
const { validateFunction } = require('internal/validators');
const { runMicrotasks, setAbortOnUncaught } = internalBinding('task_queue');
const { clearStack, emit, hooks, setFrame, unwindStack } = require('internal/async_hooks');

let captureCallback = null;
const moreCallbacks = []; // Callbacks of addUncaughtExceptionCaptureCallback().

function setUncaughtExceptionCaptureCallback(callback) {
  if (callback === null) {
    captureCallback = null;
    setAbortOnUncaught(true);
    return;
  }
  if (typeof callback !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('fn', ['Function', 'null'], callback);
  }
  if (captureCallback !== null) throw new ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET();
  captureCallback = callback;
  setAbortOnUncaught(false);
}

// Several callbacks may be registered. The last one is called first; a callback that returns true has handled the
// exception.
function addUncaughtExceptionCaptureCallback(fn) {
  validateFunction(fn, 'fn');
  ArrayPrototypePush(moreCallbacks, fn);
  setAbortOnUncaught(false);
}

function isHandledByMore(error) {
  for (let i = moreCallbacks.length - 1; i >= 0; i--) {
    const call = moreCallbacks[i];
    if (call(error) === true) return true;
  }
  return false;
}

function hasUncaughtExceptionCaptureCallback() {
  return captureCallback !== null;
}

const kNoHandler = 6; // As in Node, if process._fatalException is not a function.

// Called by native code. Returns true if the exception was handled, otherwise the exit code. Old programs replace
// process._fatalException, which makes the decision.
function onUncaughtException(error, isFromPromise) {
  const decide = process._fatalException;
  if (decide === fatalException) return fatalException(error, isFromPromise);
  if (typeof decide !== 'function') return kNoHandler;
  if (decide(error, isFromPromise)) return true;
  return process.exitCode | 0 || 1;
}

// A named function, because traces show its name. The queues are drained after this callback.
function drainAfterException() {}

// Returns true if the exception was handled. Otherwise emits 'exit' and returns the exit code.
function fatalException(error, isFromPromise) {
  const origin = isFromPromise ? 'unhandledRejection' : 'uncaughtException';
  process.emit('uncaughtExceptionMonitor', error, origin);
  let isHandled = true;
  if (captureCallback !== null) captureCallback(error);
  else isHandled = isHandledByMore(error) || process.emit('uncaughtException', error, origin);
  setFrame(undefined);
  if (isHandled) {
    // The queues are not drained after a callback that threw. The next check phase drains them at the latest.
    const { Immediate } = require('internal/timers/immediates');
    new Immediate(drainAfterException, undefined);
    if (hooks.tracksIds) unwindStack();
    return true;
  }
  if (atFatalException.report !== null) {
    try {
      atFatalException.report(error);
    } catch {
      // Ignored, because the exception itself is more important.
    }
  }
  if (emit.over !== null) require('internal/trace/record').onExit();
  if (hooks.tracksIds) clearStack();
  if (!process._exiting) {
    process._exiting = true;
    process.exitCode = 1;
    try {
      emitAtEnd('exit', 1);
    } catch {
      // Ignored: the first exception is the one to report.
    }
  }
  return process.exitCode | 0 || (process.exitCode === undefined ? 1 : 0);
}

// Returns the text of the report without the source line. inspect() shows the error's own properties.
function formatException(error) {
  const { inspect } = require('internal/util/inspect');
  const colors = process.stderr.isTTY === true && process.stderr.hasColors?.() === true;
  if (typeof error === 'string') return error;
  try {
    // Adds where an emitted error was emitted.
    fatalExceptionStackEnhancers.beforeInspector(error);
    const text = inspect(error, { colors });
    // inspect() puts a stack without frames in brackets; remove them here.
    const stack = error?.stack;
    return typeof stack === 'string' && StringPrototypeStartsWith(text, `[${stack}]`) ?
      stack + StringPrototypeSlice(text, stack.length + 2) : text;
  } catch {
    return nameAndMessage(error);
  }
}

// A short description of an error whose stack cannot be read: Error.prepareStackTrace threw, or a getter of the error
// did.
function nameAndMessage(error) {
  try {
    return ErrorPrototypeToString(error);
  } catch {
    return ObjectPrototypeToString(error);
  }
}

// Functions that are called after the listeners for 'exit' have run.
const atExit = [];
// Called with an exception that ends the process, for process.report.
const atFatalException = { report: null };

// Emits 'exit' or 'beforeExit'. Traces record both as callbacks.
function emitAtEnd(event, code) {
  if (emit.over === null) process.emit(event, code);
  else require('internal/trace/record').runProcessEvent(event, () => process.emit(event, code));
  if (event === 'exit') {
    for (let i = 0; i < atExit.length; i++) atExit[i]();
  }
}

function emitBeforeExit() {
  if (emit.lastEnds !== null) emit.lastEnds();
  emitAtEnd('beforeExit', process.exitCode | 0);
}

function emitExit() {
  internalBinding('performance').markLoopExit();
  if (!process._exiting) {
    process._exiting = true;
    const code = require('internal/modules/run_main').codeAtEnd(process.exitCode | 0);
    if (code !== 0) process.exitCode = code;
    emitAtEnd('exit', code);
    // As in Node, the end of this callback is like that of any other, except that no ticks run.
    setFrame(undefined);
    runMicrotasks();
  }
  return process.exitCode | 0;
}

module.exports = {
  atExit,
  atFatalException,
  addUncaughtExceptionCaptureCallback,
  setUncaughtExceptionCaptureCallback,
  hasUncaughtExceptionCaptureCallback,
  onUncaughtException,
  fatalException,
  formatException,
  emitAtEnd,
  emitBeforeExit,
  emitExit,
};
