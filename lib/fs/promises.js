'use strict';
// node:fs/promises.
module.exports = require('internal/fs/promises').exports;
