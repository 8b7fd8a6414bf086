'use strict';
// For tests, which reach it with --expose-internals: the door to C++, and what is behind it.
const { bindingNames } = require('internal/bootstrap/realm');

module.exports = { internalBinding, bindingNames };
