'use strict';
// The current directory, with a fallback for programs whose directory has been deleted.
const path = require('path');

// As in Node, falls back to the directory of the executable.
function tryGetCwd() {
  try {
    return process.cwd();
  } catch {
    return path.dirname(process.execPath);
  }
}

module.exports = { tryGetCwd };
