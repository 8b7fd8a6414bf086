'use strict';

module.exports = require('internal/domexception');
