'use strict';
// The functions of `stream` that take a callback, as promises.
require('stream');
module.exports = require('vendor/readable-stream').promises;
