'use strict';
// The context passed to tests and suites: the `t` of test('name', (t) => ...).

const { Error, Number, PromiseWithResolvers, ReflectApply } = primordials;

const { kEmptyObject } = require('internal/util');
const { validateFunction, validateNumber, validateObject } = require('internal/validators');

const kLongestTimeout = 2 ** 31 - 1;

// t.assert: each function counts for the plan of the test. Those that programs registered get the context as `this`.
function makeAssert(context, test) {
  const { getAssertions } = require('internal/test_runner/assert');
  const { plan } = test;
  const result = { __proto__: null };
  const all = getAssertions(test.harness);
  all.forEach((fn, name) => {
    result[name] = (...args) => {
      plan?.count();
      return ReflectApply(fn, context, args);
    };
  });
  if (!all.has('ok')) {
    const { ok: assertOk } = require('assert');
    result.ok = (...args) => {
      plan?.count();
      ReflectApply(assertOk, undefined, args);
    };
  }
  return result;
}

// Calls the condition again and again, until it does not throw.
function waitFor(condition, { interval = 50, timeout = 1000 }) {
  validateNumber(interval, 'options.interval', 0, kLongestTimeout);
  validateNumber(timeout, 'options.timeout', 0, kLongestTimeout);
  const { clearTimeout, setTimeout } = require('timers');
  const { promise, resolve, reject } = PromiseWithResolvers();
  let hasFailed = false;
  let cause;
  let next;
  const limit = setTimeout(() => {
    clearTimeout(next);
    const error = new Error('waitFor() timed out');
    if (hasFailed) error.cause = cause;
    reject(error);
  }, timeout);
  const attempt = async () => {
    try {
      const result = await condition();
      clearTimeout(next);
      clearTimeout(limit);
      resolve(result);
    } catch (error) {
      hasFailed = true;
      cause = error;
      next = setTimeout(attempt, interval);
    }
  };
  attempt();
  return promise;
}

class TestContext {
  #test;
  #assert;

  constructor(test) {
    this.#test = test;
  }

  get signal() {
    return this.#test.signal;
  }

  get name() {
    return this.#test.name;
  }

  get filePath() {
    return this.#test.entryFile;
  }

  get fullName() {
    return this.#test.fullName;
  }

  get error() {
    return this.#test.error;
  }

  get passed() {
    return this.#test.passed;
  }

  get attempt() {
    return 0;
  }

  get tags() {
    return this.#test.tags;
  }

  get workerId() {
    return Number(process.env.NODE_TEST_WORKER_ID) || undefined;
  }

  diagnostic(message) {
    this.#test.diagnostic(message);
  }

  log(message, data) {
    this.#test.log(message, data);
  }

  plan(count, options = kEmptyObject) {
    this.#test.setPlan(count, options);
  }

  get assert() {
    this.#assert ??= makeAssert(this, this.#test);
    return this.#assert;
  }

  get mock() {
    return this.#test.mock;
  }

  runOnly(value) {
    this.#test.runOnlySubtests = !!value;
  }

  skip(message) {
    this.#test.skip(message);
  }

  todo(message) {
    this.#test.todo(message);
  }

  test(name, options, fn) {
    const { Test } = require('internal/test_runner/test');
    const { readArguments } = require('internal/test_runner/utils');
    const { callerLocation } = require('internal/test_runner/location');
    this.#test.plan?.count();
    const given = readArguments(name, options, fn);
    return this.#test.createSubtest(Test, given.name, given.options, given.fn, { location: callerLocation() }).start();
  }

  before(fn, options) {
    this.#test.createHook('before', fn, options);
  }

  after(fn, options) {
    this.#test.createHook('after', fn, options);
  }

  beforeEach(fn, options) {
    this.#test.createHook('beforeEach', fn, options);
  }

  afterEach(fn, options) {
    this.#test.createHook('afterEach', fn, options);
  }

  waitFor(condition, options = kEmptyObject) {
    validateFunction(condition, 'condition');
    validateObject(options, 'options');
    return waitFor(condition, options);
  }
}

class SuiteContext {
  #suite;

  constructor(suite) {
    this.#suite = suite;
  }

  get signal() {
    return this.#suite.signal;
  }

  get name() {
    return this.#suite.name;
  }

  get filePath() {
    return this.#suite.entryFile;
  }

  get fullName() {
    return this.#suite.fullName;
  }

  get passed() {
    return this.#suite.passed;
  }

  get attempt() {
    return 0;
  }

  diagnostic(message) {
    this.#suite.diagnostic(message);
  }

  log(message, data) {
    this.#suite.log(message, data);
  }
}

module.exports = { SuiteContext, TestContext };
