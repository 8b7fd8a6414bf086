'use strict';

// node:punycode (deprecated): the npm package. Warns if a program, rather than one of its dependencies, loads it.
const { isInsideNodeModules } = require('internal/util');

if (!isInsideNodeModules(30)) {
  process.emitWarning(
    'The `punycode` module is deprecated. Please use a userland alternative instead.', 'DeprecationWarning', 'DEP0040');
}

module.exports = require('vendor/punycode');
