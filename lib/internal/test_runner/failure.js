'use strict';
// The error of a failed test: an ERR_TEST_FAILURE whose `cause` is the value that the test threw.

const { RegExpPrototypeSymbolReplace } = primordials;
const { codes: { ERR_TEST_FAILURE } } = require('internal/errors');

const kinds = {
  __proto__: null,
  kTestCodeFailure: 'testCodeFailure',
  kTestTimeoutFailure: 'testTimeoutFailure',
  kSubtestsFailed: 'subtestsFailed',
  kCancelledByParent: 'cancelledByParent',
  kAborted: 'testAborted',
  kParentAlreadyFinished: 'parentAlreadyFinished',
  kExpectedFailure: 'expectedFailure',
  kHookFailure: 'hookFailed',
  kUncaughtException: 'uncaughtException',
  kUnhandledRejection: 'unhandledRejection',
  kMultipleCallbacks: 'multipleCallbackInvocations',
  kCallbackAndPromise: 'callbackAndPromisePresent',
};

// Only frames of the program are kept: those of the test runner are of no interest.
function failure(error, kind) {
  const result = new ERR_TEST_FAILURE(error, kind);
  const { stack } = result;
  if (typeof stack === 'string') {
    result.stack = RegExpPrototypeSymbolReplace(
      /\n {4}at (?:async )?(?:(?:.* \()?node:internal\/.*|Promise\.all \(index \d+\))/g, stack, '');
  }
  return result;
}

function isFailure(error) {
  return error?.code === 'ERR_TEST_FAILURE' && typeof error.failureType === 'string';
}

module.exports = { ...kinds, failure, isFailure };
