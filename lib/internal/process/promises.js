'use strict';
// Unhandled rejections. V8 reports each rejection as it happens; whether it is unhandled is decided when the queues of
// ticks and microtasks are empty (TICK-07).
const {
  Error,
  FunctionPrototypeToString,
  ObjectDefineProperty,
  ObjectPrototypeToString: toStringOf,
  SafeMap,
  SafeWeakMap,
  String,
} = primordials;
const {
  kPromiseRejectWithNoHandler,
  kPromiseHandlerAddedAfterReject,
  triggerUncaughtException,
} = internalBinding('task_queue');
const { shared, kHasRejections } = require('internal/shared');
const { getFrame, setFrame } = require('internal/async_hooks');
const { getFlag } = require('internal/options');
const FixedQueue = require('internal/fixed_queue');

// The original function, for comparison.
const { toString: objectToString } = primordials.ObjectPrototype;
let pending = new SafeMap(); // Rejected and not handled so far: promise -> { reason, uid, promise, frame, domain }
const reported = new SafeWeakMap(); // The same for promises that were reported as unhandled.
const handledLater = new FixedQueue(); // For 'rejectionHandled'.
let lastUid = 0;

function promiseRejectHandler(type, promise, reason) {
  switch (type) {
    case kPromiseRejectWithNoHandler:
      pending.set(promise, { reason, uid: ++lastUid, promise, frame: getFrame(), domain: process.domain });
      shared[kHasRejections] = 1;
      break;
    case kPromiseHandlerAddedAfterReject: {
      if (pending.delete(promise)) break;
      const info = reported.get(promise);
      if (info === undefined) break;
      reported.delete(promise);
      handledLater.push(info);
      shared[kHasRejections] = 1;
      break;
    }
  }
}

function isErrorLike(value) {
  return typeof value === 'object' && value !== null && 'stack' in value;
}

// Formats a value like V8 does in its messages: runs no code of the value, unless it is a proxy.
function describeReason(reason) {
  if (typeof reason === 'function') return FunctionPrototypeToString(reason);
  if (typeof reason !== 'object' || reason === null) return String(reason);
  if (reason.toString === objectToString) {
    const name = reason.constructor?.name;
    if (typeof name === 'string' && name !== '') return `#<${name}>`;
  }
  return toStringOf(reason);
}

function show(reason) {
  try {
    return describeReason(reason);
  } catch {
    return '<reason that cannot be shown>';
  }
}

function unhandledError(reason) {
  const error = new Error('This error originated either by throwing inside of an async function ' +
    'without a catch block, or by rejecting a promise which was not handled with .catch(). The ' +
    `promise rejected with the reason "${show(reason)}".`);
  ObjectDefineProperty(error, 'code', {
    __proto__: null, value: 'ERR_UNHANDLED_REJECTION', enumerable: true, writable: true, configurable: true,
  });
  ObjectDefineProperty(error, 'name', {
    __proto__: null, value: 'UnhandledPromiseRejection', enumerable: false, writable: true, configurable: true,
  });
  // Replaces the stack by its first line, because it contains only frames of lib.
  error.stack = `[UnhandledPromiseRejection: ${error.message}]`;
  return error;
}

function warnUnhandled(info) {
  process.emitWarning(isErrorLike(info.reason) ? info.reason.stack : show(info.reason),
    'UnhandledPromiseRejectionWarning');
  const warning = new Error('Unhandled promise rejection. This error originated either by throwing ' +
    'inside of an async function without a catch block, or by rejecting a promise which was not ' +
    'handled with .catch(). To terminate the node process on unhandled promise rejection, use the ' +
    'CLI flag `--unhandled-rejections=strict` (see https://nodejs.org/api/cli.html' +
    `#cli_unhandled_rejections_mode). (rejection id: ${info.uid})`);
  warning.name = 'UnhandledPromiseRejectionWarning';
  process.emitWarning(warning);
}

function raise(info) {
  const { reason } = info;
  triggerUncaughtException(isErrorLike(reason) ? reason : unhandledError(reason), true);
}

function emitUnhandled(info) {
  if (info.domain) return info.domain.emit('error', info.reason);
  return process.emit('unhandledRejection', info.reason, info.promise);
}

const modes = {
  __proto__: null,
  throw(info) { if (!emitUnhandled(info)) raise(info); },
  strict(info) {
    raise(info);
    if (!emitUnhandled(info)) warnUnhandled(info);
  },
  warn(info) {
    emitUnhandled(info);
    warnUnhandled(info);
  },
  'warn-with-error-code'(info) {
    if (emitUnhandled(info)) return;
    warnUnhandled(info);
    process.exitCode = 1;
  },
  none(info) { emitUnhandled(info); },
};

// Reports unhandled rejections. Returns true if there may be new ticks or microtasks. As in Node, if a listener throws,
// the remaining rejections are dropped, and a listener for one rejection can no longer handle another.
function processRejections() {
  let maybeMore = false;
  let info;
  while ((info = handledLater.shift()) !== null) {
    if (!process.emit('rejectionHandled', info.promise)) {
      process.emitWarning(`Promise rejection was handled asynchronously (rejection id: ${info.uid})`,
        'PromiseRejectionHandledWarning');
    }
    maybeMore = true;
  }
  if (pending.size === 0) return maybeMore;
  const batch = pending;
  pending = new SafeMap();
  for (const info of batch.values()) {
    reported.set(info.promise, info);
    setFrame(info.frame);
    modes[getFlag('unhandled-rejections') ?? 'throw'](info);
    setFrame(undefined);
  }
  return true;
}

module.exports = { promiseRejectHandler, processRejections };
