'use strict';
// rondo -, and rondo with a program on standard input
const { getFlag } = require('internal/options');
const { readAllSync } = internalBinding('stdin');

module.exports = function main() {
  const { evalModule, evalScript } = require('internal/modules/run_main');
  const source = readAllSync();
  if (getFlag('input-type') === 'module') evalModule(source);
  else evalScript('[stdin]', source, false);
};
