'use strict';

const { isInsideNodeModules } = require('internal/util');

if (!isInsideNodeModules(30)) {
  process.emitWarning(
    'The `punycode` module is deprecated. Please use a userland alternative instead.', 'DeprecationWarning', 'DEP0040');
}

module.exports = require('vendor/punycode');
