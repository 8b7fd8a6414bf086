'use strict';
// What a test and a suite are given: the `t` of test('name', (t) => ...).

const { ReflectApply } = primordials;

let assertions;

// The functions of assert that a plan can count.
function assertionNames() {
  return [
    'deepEqual', 'deepStrictEqual', 'doesNotMatch', 'doesNotReject', 'doesNotThrow', 'equal', 'fail', 'ifError', 'match',
    'notDeepEqual', 'notDeepStrictEqual', 'notEqual', 'notStrictEqual', 'rejects', 'strictEqual', 'throws', 'ok',
  ];
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

  get fullName() {
    return this.#test.fullName;
  }

  get error() {
    return this.#test.error;
  }

  get passed() {
    return this.#test.passed;
  }

  diagnostic(message) {
    this.#test.diagnostic(message);
  }

  plan(count) {
    this.#test.setPlan(count);
  }

  get assert() {
    if (this.#assert === undefined) {
      const assert = require('assert');
      const test = this.#test;
      const counted = { __proto__: null };
      assertions ??= assertionNames();
      for (let i = 0; i < assertions.length; i++) {
        const name = assertions[i];
        counted[name] = (...args) => {
          test.countAssertion();
          return ReflectApply(assert[name], assert, args);
        };
      }
      this.#assert = counted;
    }
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
    this.#test.countAssertion();
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

  get fullName() {
    return this.#suite.fullName;
  }
}

module.exports = { SuiteContext, TestContext };
