'use strict';
// node:test. The functions are in internal/test_runner.

const { ObjectAssign, ObjectDefineProperty } = primordials;

const {
  getTestContext,
  makeHookFunction,
  suiteFunction: suite,
  testFunction: test,
} = require('internal/test_runner/harness');

module.exports = test;
ObjectAssign(module.exports, {
  after: makeHookFunction('after'),
  afterEach: makeHookFunction('afterEach'),
  before: makeHookFunction('before'),
  beforeEach: makeHookFunction('beforeEach'),
  describe: suite,
  getTestContext,
  it: test,
  run: function run(options = undefined) {
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

let snapshot;
ObjectDefineProperty(module.exports, 'snapshot', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    if (snapshot === undefined) {
      const { setDefaultSnapshotSerializers, setResolveSnapshotPath } = require('internal/test_runner/snapshot');
      snapshot = { __proto__: null, setDefaultSnapshotSerializers, setResolveSnapshotPath };
    }
    return snapshot;
  },
});

let assert;
ObjectDefineProperty(module.exports, 'assert', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    assert ??= { __proto__: null, register: require('internal/test_runner/assert').register };
    return assert;
  },
});
