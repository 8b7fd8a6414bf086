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

const kBadOption = 9; // As for options of rondo itself.

// Ends the command with one line on stderr.
function refuse(command, message, code = kBadOption) {
  process.stderr.write(`rondo ${command}: ${message}\n`);
  process.exit(code);
}

// `own` maps the names of the command's options to what they take: 'value', 'values' (it may be repeated, and gives an
// array) or 'nothing'; a name of one letter is written with one dash. Gives back the values of those that were given ('' for those that take none), the options that are
// rondo's, and what is left: the program and its arguments, or whatever the command works on.
function parseArguments(command, args, own) {
  const options = { __proto__: null };
  const execArgv = [];
  let i = 0;
  for (; i < args.length; i++) {
    const arg = args[i];
    if (arg === '--') {
      i++;
      break;
    }
    if (arg.length < 2 || arg[0] !== '-') break;
    const isLong = StringPrototypeStartsWith(arg, '--');
    const equals = isLong ? StringPrototypeIndexOf(arg, '=') : -1;
    const name = StringPrototypeSlice(arg, isLong ? 2 : 1, equals < 0 ? undefined : equals);
    const takes = own[name];
    if (takes === undefined) {
      ArrayPrototypePush(execArgv, arg);
      if (equals < 0 && takesNextArgument(arg) && i + 1 < args.length) ArrayPrototypePush(execArgv, args[++i]);
    } else if (takes === 'nothing') {
      if (equals >= 0) refuse(command, `--${name} takes no value`);
      options[name] = '';
    } else if (equals < 0 && i + 1 >= args.length) {
      refuse(command, `${arg} requires an argument`);
    } else {
      const value = equals >= 0 ? StringPrototypeSlice(arg, equals + 1) : args[++i];
      if (takes === 'values') ArrayPrototypePush(options[name] ??= [], value);
      else options[name] = value;
    }
  }
  return { options, execArgv, rest: ArrayPrototypeSlice(args, i) };
}

// Where the command works on a file and not on a program, what follows it are options of the command as well.
function parseRest(command, parsed, own) {
  const { options, execArgv, rest } = parseArguments(command, ArrayPrototypeSlice(parsed.rest, 1), own);
  if (execArgv.length > 0) refuse(command, `bad option: ${execArgv[0]}`);
  if (rest.length > 0) refuse(command, `${rest[0]}: one file at a time`);
  for (const name in options) {
    const before = parsed.options[name];
    parsed.options[name] = own[name] === 'values' && before !== undefined ? [...before, ...options[name]] : options[name];
  }
  parsed.rest = [parsed.rest[0]];
}

module.exports = { parseArguments, parseRest, refuse };
