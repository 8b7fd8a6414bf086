'use strict';
// rondo --check script.js: only compiles the program.

module.exports = function main() {
  const { checkSyntax } = require('internal/modules/run_main');
  const script = process.argv[1];
  if (script === undefined || script === '-') {
    checkSyntax('[stdin]', internalBinding('stdin').readAllSync());
  } else {
    checkSyntax(require('path').resolve(script));
  }
};
