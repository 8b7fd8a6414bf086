'use strict';
// The module `process` is the global of that name.
module.exports = process;
