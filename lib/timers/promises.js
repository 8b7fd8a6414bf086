'use strict';
// node:timers/promises: timers to await, which an AbortSignal can cancel.
const { Promise, PromiseReject, SafePromisePrototypeFinally, Symbol } = primordials;
const { Timeout, insertNew, clearTimeout } = require('internal/timers');
const { Immediate, clearImmediate } = require('internal/timers/immediates');
const {
  AbortError,
  codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_THIS },
} = require('internal/errors');
const {
  validateAbortSignal, validateBoolean, validateObject,
} = require('internal/validators');
const { kEmptyObject } = require('internal/util');

// Validates all options, then returns them.
function readOptions(options) {
  validateObject(options, 'options');
  const { signal, ref = true } = options;
  validateAbortSignal(signal, 'options.signal');
  validateBoolean(ref, 'options.ref');
  return { signal, ref };
}

function abortError(signal) {
  return new AbortError(undefined, { cause: signal?.reason });
}

// Returns a promise for the timer that `start(resolve)` creates. An abort of the signal calls `stop(timer)` and rejects
// it.
function withSignal(signal, ref, start, stop) {
  if (signal?.aborted) return PromiseReject(abortError(signal));
  let onAbort;
  const promise = new Promise((resolve, reject) => {
    const timer = start(resolve);
    if (!ref) timer.unref();
    if (signal) {
      onAbort = () => {
        stop(timer);
        reject(abortError(signal));
      };
      signal.addEventListener('abort', onAbort, { __proto__: null, once: true });
    }
  });
  return onAbort === undefined ? promise :
    SafePromisePrototypeFinally(promise, () => signal.removeEventListener('abort', onAbort));
}

function setTimeout(after, value, options = kEmptyObject) {
  let checked;
  try {
    checked = readOptions(options);
  } catch (error) {
    return PromiseReject(error);
  }
  return withSignal(checked.signal, checked.ref, (resolve) => {
    const timer = new Timeout(resolve, after, [value], false, true);
    insertNew(timer);
    return timer;
  }, clearTimeout);
}

function setImmediate(value, options = kEmptyObject) {
  let checked;
  try {
    checked = readOptions(options);
  } catch (error) {
    return PromiseReject(error);
  }
  return withSignal(checked.signal, checked.ref, (resolve) => new Immediate(resolve, [value]), clearImmediate);
}

// Yields `value` each time the interval elapses. Intervals that elapse while no next() is pending are counted, not
// lost.
async function* setInterval(after, value, options = kEmptyObject) {
  const { signal, ref } = readOptions(options);
  if (signal?.aborted) throw abortError(signal);
  let ticksWaiting = 0;
  let wake;
  let isAborted = false;
  const interval = new Timeout(() => {
    ticksWaiting++;
    wake?.();
    wake = undefined;
  }, after, undefined, true, ref);
  insertNew(interval);
  const onAbort = () => {
    isAborted = true;
    clearTimeout(interval);
    wake?.();
    wake = undefined;
  };
  signal?.addEventListener('abort', onAbort, { __proto__: null, once: true });
  try {
    for (;;) {
      if (isAborted) throw abortError(signal);
      if (ticksWaiting === 0) await new Promise((resolve) => wake = resolve);
      if (isAborted) throw abortError(signal);
      for (; ticksWaiting > 0; ticksWaiting--) yield value;
    }
  } finally {
    clearTimeout(interval);
    signal?.removeEventListener('abort', onAbort);
  }
}

const kScheduler = Symbol('kScheduler');

// The scheduling functions of the web, as far as Node has them.
class Scheduler {
  constructor() {
    throw new ERR_ILLEGAL_CONSTRUCTOR();
  }

  yield() {
    if (!this?.[kScheduler]) throw new ERR_INVALID_THIS('Scheduler');
    return setImmediate();
  }

  wait(delay, options) {
    if (!this?.[kScheduler]) throw new ERR_INVALID_THIS('Scheduler');
    return setTimeout(delay, undefined, options);
  }
}

module.exports = {
  setTimeout,
  setImmediate,
  setInterval,
  scheduler: { __proto__: Scheduler.prototype, [kScheduler]: true },
};
