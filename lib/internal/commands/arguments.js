'use strict';
// The command line of our own programs: `rondo trace -o out.html --seed=1 app.js --its-own`. Options that the command
// does not know are rondo's, for the program that it runs.
const {
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
} = primordials;
const { takesNextArgument } = internalBinding('command_line');
const { kEmptyObject } = require('internal/util');

const kBadOption = 9; // As for options of rondo itself.

// Ends the command with one line on stderr.
function refuse(command, message, code = kBadOption) {
  process.stderr.write(`rondo ${command}: ${message}\n`);
  process.exit(code);
}

// `own` maps the names of the command's options to what they take: 'value', 'values' (it may be repeated, and gives an
// array) or 'nothing'; a name of one letter is written with one dash. Every command has -h and --help, which print
// `usage` and end it. Gives back the values of the options that were given ('' for those that take none), those that
// are rondo's, and what is left: the program and its arguments, or whatever the command works on. With `mixed` options
// may also stand behind that.
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

module.exports = { parseArguments, refuse };
