'use strict';
// rondo script.js

module.exports = function main() {
  const script = process.argv[1];
  const { executeUserEntryPoint } = require('internal/modules/run_main');
  process.argv[1] = require('path').resolve(script);
  executeUserEntryPoint(process.argv[1]);
};
