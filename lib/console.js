'use strict';

// node:console is the global console.
module.exports = require('internal/console/global');
