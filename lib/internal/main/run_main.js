'use strict';
// rondo script.js

module.exports = function main() {
  require('internal/process/pre_execution').resolveScript();
  // What was loaded before the program may have replaced it.
  require('module').runMain(process.argv[1]);
};
