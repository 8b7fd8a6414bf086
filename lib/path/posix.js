'use strict';

// node:path/posix.
module.exports = require('path').posix;
