'use strict';
// node:test

const { ObjectAssign, ObjectDefineProperty } = primordials;

const { makeHookFunction, suiteFunction: suite, testFunction: test } = require('internal/test_runner/harness');

module.exports = test;
ObjectAssign(module.exports, {
  after: makeHookFunction('after'),
  afterEach: makeHookFunction('afterEach'),
  before: makeHookFunction('before'),
  beforeEach: makeHookFunction('beforeEach'),
  describe: suite,
  it: test,
  run: function run(options) {
    return require('internal/test_runner/runner').run(options);
  },
  suite,
  test,
});

let mock;
ObjectDefineProperty(module.exports, 'mock', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    if (mock === undefined) {
      const { MockTracker } = require('internal/test_runner/mock');
      mock = new MockTracker();
    }
    return mock;
  },
});
