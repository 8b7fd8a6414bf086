'use strict';

// node:sys, the deprecated name of node:util.

process.emitWarning('sys is deprecated. Use `node:util` instead.', 'DeprecationWarning', 'DEP0025');
module.exports = require('util');
