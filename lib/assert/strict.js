'use strict';

// node:assert/strict.

module.exports = require('assert').strict;
