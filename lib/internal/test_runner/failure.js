'use strict';
// Why a test failed: an ERR_TEST_FAILURE whose `cause` is what the test threw.

const { Error } = primordials;
const { codes: { ERR_TEST_FAILURE }, isErrorStackTraceLimitWritable } = require('internal/errors');

const kinds = {
  __proto__: null,
  kTestCodeFailure: 'testCodeFailure',
  kTestTimeoutFailure: 'testTimeoutFailure',
  kSubtestsFailed: 'subtestsFailed',
  kCancelledByParent: 'cancelledByParent',
  kAborted: 'testAborted',
  kParentAlreadyFinished: 'parentAlreadyFinished',
  kHookFailure: 'hookFailed',
  kUncaughtException: 'uncaughtException',
  kUnhandledRejection: 'unhandledRejection',
  kMultipleCallbacks: 'multipleCallbackInvocations',
  kCallbackAndPromise: 'callbackAndPromisePresent',
};

// Where the failure object itself was made is of no interest: what it wraps has a stack of its own.
function failure(error, kind) {
  const isLimited = isErrorStackTraceLimitWritable();
  const limit = Error.stackTraceLimit;
  if (isLimited) Error.stackTraceLimit = 0;
  const result = new ERR_TEST_FAILURE(error, kind);
  if (isLimited) Error.stackTraceLimit = limit;
  return result;
}

function isFailure(error) {
  return error?.code === 'ERR_TEST_FAILURE' && typeof error.failureType === 'string';
}

module.exports = { ...kinds, failure, isFailure };
