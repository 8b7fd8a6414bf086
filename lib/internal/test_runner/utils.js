'use strict';
// Helpers shared by tests, suites and hooks.

const { FunctionPrototype, PromisePrototypeThen } = primordials;

const { failure, kTestTimeoutFailure } = require('internal/test_runner/failure');
const { createDeferredPromise } = require('internal/util');
const { setTimeout, clearTimeout } = require('timers');

// test('name', { options }, fn), each of which may be left out.
function readArguments(name, options, fn) {
  if (typeof name === 'function') {
    fn = name;
  } else if (name !== null && typeof name === 'object') {
    fn = options;
    options = name;
  } else if (typeof options === 'function') {
    fn = options;
  }
  options = options !== null && typeof options === 'object' ? options : {};
  // The options may have both as well, and come first.
  name = options.name ?? (typeof name === 'string' ? name : undefined);
  return { name, options, fn: options.fn ?? fn };
}

// Stops a test at its timeout or when its signal is aborted: `promise` is settled then. dispose() releases both.
function makeStop(timeout, signal) {
  const { promise, resolve, reject } = createDeferredPromise();
  // Without a listener, a rejection must not be reported as unhandled.
  PromisePrototypeThen(promise, undefined, FunctionPrototype);
  const onAbort = () => resolve();
  signal.addEventListener('abort', onAbort);
  let timer;
  if (timeout !== Infinity) {
    timer = setTimeout(() => {
      reject(failure(`test timed out after ${timeout}ms`, kTestTimeoutFailure));
    }, timeout);
    timer.unref();
  }
  return {
    promise,
    dispose() {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    },
  };
}

module.exports = { makeStop, readArguments };
