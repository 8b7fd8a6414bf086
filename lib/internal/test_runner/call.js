'use strict';
// Calls the function of a test, and limits the number of parallel subtests.

const { SafePromiseRace } = primordials;

const { failure, kCallbackAndPromise, kMultipleCallbacks } = require('internal/test_runner/failure');
const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { createDeferredPromise } = require('internal/util');
const { isPromise } = require('internal/util/types');
const { validateUint32 } = require('internal/validators');

// Calls the function of the test, and waits for its callback or its promise.
async function callFunction(test, context, stop, publisher) {
  const { harness } = test;
  const fn = publisher.wrap(test.fn);
  if (test.fn.length !== 2) {
    const result = harness.runIn(test, fn, context, [context]);
    await SafePromiseRace([result, stop.promise]);
    return;
  }
  const { promise, resolve, reject } = createDeferredPromise();
  let calls = 0;
  const done = (error) => {
    if (++calls > 1) {
      if (calls === 2) throw failure('callback invoked multiple times', kMultipleCallbacks);
      return;
    }
    if (error) reject(error);
    else resolve();
  };
  const result = harness.runIn(test, fn, context, [context, done]);
  if (isPromise(result)) {
    test.fail(failure('passed a callback but also returned a Promise', kCallbackAndPromise));
    await SafePromiseRace([result, stop.promise]);
  } else {
    await SafePromiseRace([promise, stop.promise]);
  }
}

// The option `concurrency`; without it the test keeps the value of its parent.
function readConcurrency(test, concurrency) {
  switch (typeof concurrency) {
    case 'number':
      validateUint32(concurrency, 'options.concurrency', true);
      return concurrency;
    case 'boolean':
      if (!concurrency) return 1;
      return test.parent === null ? test.harness.parallelism() : Infinity;
    default:
      if (concurrency !== undefined && concurrency !== null) {
        throw new ERR_INVALID_ARG_TYPE('options.concurrency', ['boolean', 'number'], concurrency);
      }
      return test.concurrency;
  }
}

module.exports = { callFunction, readConcurrency };
