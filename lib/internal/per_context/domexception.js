'use strict';

// internal/domexception under the name by which Node's internals require it.
module.exports = require('internal/domexception');
