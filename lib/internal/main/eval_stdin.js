'use strict';
// rondo -, and rondo with a program on standard input.

const { hasFlag } = require('internal/options');

// As in Node, the program runs in the callback for the end of process.stdin.
function readProgram(then) {
  const { stdin } = process;
  let source = '';
  stdin.setEncoding('utf8');
  stdin.on('data', (text) => { source += text; });
  stdin.on('end', () => then(source));
}

module.exports = function main() {
  const { isatty } = require('tty');
  if (isatty(0) && isatty(2)) {
    process._rawDebug(
      'rondo: reads a program from the terminal, up to Ctrl-D; rondo FILE runs a file, rondo --help tells more');
  }
  readProgram((source) => {
    require('internal/modules/run_main').evalText('[stdin]', source, hasFlag('print'));
  });
};
