'use strict';
// node:test/reporters.

const { ObjectDefineProperties, ObjectDefineProperty, ReflectConstruct, SymbolAsyncIterator } = primordials;

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

// A property with a class that can also be called: programs write both compose(spec) and compose(new spec()).
function callable(name) {
  return {
    __proto__: null,
    configurable: true,
    enumerable: true,
    value: ObjectDefineProperty(function(...args) {
      const Reporter = require(`internal/test_runner/reporters/${name}`);
      const reporter = ReflectConstruct(Reporter, args);
      if (new.target !== undefined || typeof args[0]?.[SymbolAsyncIterator] !== 'function') return reporter;
      return require('stream').Readable.from(args[0]).pipe(reporter);
    }, 'name', { __proto__: null, value: name, configurable: true }),
  };
}

ObjectDefineProperties(module.exports, {
  __proto__: null,
  dot: lazily('dot'),
  junit: lazily('junit'),
  spec: callable('spec'),
  tap: lazily('tap'),
  lcov: callable('lcov'),
});
