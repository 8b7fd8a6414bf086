'use strict';
// node:process is the global process.
module.exports = process;
