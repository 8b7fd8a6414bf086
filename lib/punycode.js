'use strict';

module.exports = require('vendor/punycode');
