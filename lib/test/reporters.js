'use strict';
// node:test/reporters

const { ObjectDefineProperties, SymbolAsyncIterator } = primordials;

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
    // A class that may be called: compose(spec) and compose(new spec()) are both written.
    value: function value(source) {
      const SpecReporter = require('internal/test_runner/reporters/spec');
      const reporter = new SpecReporter();
      if (new.target !== undefined || typeof source?.[SymbolAsyncIterator] !== 'function') return reporter;
      return require('stream').Readable.from(source).pipe(reporter);
    },
  },
  tap: lazily('tap'),
});
