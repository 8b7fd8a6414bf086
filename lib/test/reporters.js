'use strict';
// node:test/reporters

const { ObjectDefineProperties } = primordials;

function lazily(name) {
  return {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return require(`internal/test_runner/reporters/${name}`);
    },
  };
}

ObjectDefineProperties(module.exports, {
  __proto__: null,
  dot: lazily('dot'),
  junit: lazily('junit'),
  spec: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    // A class that may be called: compose(spec) and new spec() are both written.
    value: function value() {
      const SpecReporter = require('internal/test_runner/reporters/spec');
      return new SpecReporter();
    },
  },
  tap: lazily('tap'),
});
