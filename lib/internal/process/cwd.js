'use strict';
// The current directory, where a program must run without one: it may have been deleted.
const path = require('path');

// As in Node, the directory of the executable stands in.
function tryGetCwd() {
  try {
    return process.cwd();
  } catch {
    return path.dirname(process.execPath);
  }
}

module.exports = { tryGetCwd };
