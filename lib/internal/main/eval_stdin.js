'use strict';
// rondo -, and rondo with a program on standard input
const { getFlag } = require('internal/options');
const { readAllSync } = internalBinding('stdin');

module.exports = function main() {
  const { evalModule, evalScript } = require('internal/modules/run_main');
  const { isatty } = require('tty');
  if (isatty(0) && isatty(2)) {
    process._rawDebug('rondo: reads a program from the terminal, up to Ctrl-D; rondo FILE runs a file, rondo --help tells more');
  }
  const source = readAllSync();
  if (getFlag('input-type') === 'module') evalModule(source);
  else evalScript('[stdin]', source, false);
};
