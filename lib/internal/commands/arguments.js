'use strict';
// Parses the command line of a subcommand, such as `rondo trace -o out.html --seed=1 app.js --its-own`. Options that
// the command does not define are options of rondo, for the program that the command runs.
const {
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
} = primordials;
const { takesNextArgument } = internalBinding('command_line');
const { kEmptyObject } = require('internal/util');

const kBadOption = 9; // The same exit code as for invalid options of rondo itself.

// Ends the command with a one-line message on stderr.
function refuse(command, message, code = kBadOption) {
  process.stderr.write(`rondo ${command}: ${message}\n`);
  process.exit(code);
}

// `own` maps each option of the command to the value that it takes: 'value', 'values' (repeatable, collected in an
// array) or 'nothing'. A name of one letter is written with one dash. Every command has -h and --help, which print
// `usage` and exit. Returns the values of the command's options ('' for options without a value), the options of rondo,
// and the remaining arguments: usually the program and its arguments. With `mixed`, options may also follow those.
function parseArguments(command, usage, args, own, { mixed = false } = kEmptyObject) {
  const options = { __proto__: null };
  const execArgv = [];
  const words = [];
  let isHelp = false;
  let i = 0;
  for (; i < args.length; i++) {
    const arg = args[i];
    if (arg === '--') {
      i++;
      break;
    }
    if (arg.length < 2 || arg[0] !== '-') {
      if (!mixed) break;
      ArrayPrototypePush(words, arg);
      continue;
    }
    const isLong = StringPrototypeStartsWith(arg, '--');
    const equals = isLong ? StringPrototypeIndexOf(arg, '=') : -1;
    const name = StringPrototypeSlice(arg, isLong ? 2 : 1, equals < 0 ? undefined : equals);
    const takes = name === 'help' || name === 'h' ? 'nothing' : own[name];
    if (takes === undefined) {
      ArrayPrototypePush(execArgv, arg);
      if (equals < 0 && takesNextArgument(arg) && i + 1 < args.length) ArrayPrototypePush(execArgv, args[++i]);
    } else if (takes === 'nothing') {
      if (equals >= 0) refuse(command, `--${name} takes no value`);
      if (own[name] === undefined) isHelp = true;
      else options[name] = '';
    } else if (equals < 0 && i + 1 >= args.length) {
      refuse(command, `${arg} requires an argument`);
    } else {
      const value = equals >= 0 ? StringPrototypeSlice(arg, equals + 1) : args[++i];
      if (takes === 'values') ArrayPrototypePush(options[name] ??= [], value);
      else options[name] = value;
    }
  }
  if (isHelp) {
    process.stdout.write(usage);
    process.exit(0);
  }
  return { options, execArgv, rest: [...words, ...ArrayPrototypeSlice(args, i)] };
}

module.exports = { kBadOption, parseArguments, refuse };
