'use strict';
// rondo script.js

module.exports = function main() {
  const script = process.argv[1];
  if (!require('internal/options').hasFlag('entry-url')) process.argv[1] = require('path').resolve(script);
  // What was loaded before the program may have replaced it.
  require('module').runMain(process.argv[1]);
};
