'use strict';
// The option expectFailure: a test that must fail, with a label for reports or a check of its error.

const { ArrayPrototypeEvery, ObjectKeys } = primordials;

const { failure, kTestCodeFailure } = require('internal/test_runner/failure');
const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { isRegExp } = require('internal/util/types');

function readExpectation(given) {
  if (given === undefined || given === false) return undefined;
  if (typeof given === 'string') return { __proto__: null, label: given, match: undefined };
  if (typeof given === 'function' || isRegExp(given)) return { __proto__: null, label: undefined, match: given };
  if (typeof given !== 'object' || given === null) return { __proto__: null, label: undefined, match: undefined };
  const keys = ObjectKeys(given);
  if (keys.length === 0) {
    throw new ERR_INVALID_ARG_VALUE('options.expectFailure', given, 'must not be an empty object');
  }
  if (ArrayPrototypeEvery(keys, (key) => key === 'label' || key === 'match')) {
    return { __proto__: null, label: given.label, match: given.match };
  }
  return { __proto__: null, label: undefined, match: given };
}

// undefined if the error is the expected one, otherwise the error to report.
function checkExpectation({ match }, error) {
  if (match === undefined) return undefined;
  const thrown = error?.code === 'ERR_TEST_FAILURE' && error.failureType === kTestCodeFailure && error.cause ?
    error.cause : error;
  try {
    require('assert').throws(() => { throw thrown; }, match);
    return undefined;
  } catch (mismatch) {
    const result = failure(
      'The test failed, but the error did not match the expected validation', kTestCodeFailure);
    result.cause = mismatch;
    return result;
  }
}

module.exports = { checkExpectation, readExpectation };
