'use strict';
// rondo --test [files]: `rondo test` with Node's spelling of the options, which are among rondo's own.

const { ArrayPrototypeFilter, ArrayPrototypePush, RegExpPrototypeExec, SafeArrayIterator } = primordials;
const { takesNextArgument } = internalBinding('command_line');

module.exports = function main() {
  const args = [];
  const execArgv = [];
  const given = ArrayPrototypeFilter(process.execArgv, (arg) => arg !== '--test');
  for (let i = 0; i < given.length; i++) {
    const list = RegExpPrototypeExec(/^--(?:experimental-)?test-(?!module-mocks)/, given[i]) !== null ? args : execArgv;
    ArrayPrototypePush(list, given[i]);
    if (takesNextArgument(given[i]) && i + 1 < given.length) ArrayPrototypePush(list, given[++i]);
  }
  require('internal/commands/test').run([...new SafeArrayIterator(args), ...process.argv.slice(1)], execArgv);
};
