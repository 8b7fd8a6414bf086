'use strict';
// t.plan(): how many assertions and subtests a test must make, and whether it waits for them.

const { PromiseWithResolvers } = primordials;

const { failure, kTestCodeFailure, kTestTimeoutFailure } = require('internal/test_runner/failure');
const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { kEmptyObject } = require('internal/util');
const { validateNumber, validateObject, validateUint32 } = require('internal/validators');
const { clearTimeout, setTimeout } = require('timers');

const kLongestTimeout = 2 ** 31 - 1;

class TestPlan {
  #expected;
  #actual = 0;
  // true: until the test's timeout; a number: that many milliseconds.
  #wait;
  #kept = undefined;
  #timer = undefined;

  constructor(count, options = kEmptyObject) {
    validateUint32(count, 'count');
    validateObject(options, 'options');
    this.#expected = count;
    const { wait } = options;
    if (typeof wait === 'number') validateNumber(wait, 'options.wait', 0, kLongestTimeout);
    else if (typeof wait !== 'boolean' && wait !== undefined) {
      throw new ERR_INVALID_ARG_TYPE('options.wait', ['boolean', 'number'], wait);
    }
    this.#wait = wait;
  }

  count() {
    this.#actual++;
    if (this.#kept !== undefined && this.#actual === this.#expected) {
      clearTimeout(this.#timer);
      this.#kept.resolve();
    }
  }

  // Called when the test's function has ended: nothing, an exception, or a promise for the plan to be kept.
  check() {
    if (this.#actual === this.#expected) return undefined;
    if (this.#wait === undefined || this.#wait === false) {
      throw failure(`plan expected ${this.#expected} assertions but received ${this.#actual}`, kTestCodeFailure);
    }
    this.#kept = PromiseWithResolvers();
    if (typeof this.#wait === 'number') {
      this.#timer = setTimeout(() => this.#kept.reject(failure(
        `plan timed out after ${this.#wait}ms with ${this.#actual} assertions when expecting ${this.#expected}`,
        kTestTimeoutFailure)), this.#wait);
    }
    return this.#kept.promise;
  }

  // The test has ended for another reason.
  dispose() {
    clearTimeout(this.#timer);
  }
}

module.exports = { TestPlan };
