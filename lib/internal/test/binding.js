'use strict';
// Access to internalBinding() for tests that run with --expose-internals.
const { bindingNames } = require('internal/bootstrap/realm');

module.exports = { internalBinding, bindingNames };
