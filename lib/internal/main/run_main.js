'use strict';
// rondo script.js.

module.exports = function main() {
  require('internal/process/pre_execution').resolveScript();
  // Look up runMain(), because a preloaded module may have replaced it.
  require('module').runMain(process.argv[1]);
};
