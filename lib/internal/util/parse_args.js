'use strict';

// util.parseArgs(): splits a command line into options and positionals. Arguments are converted to tokens, the tokens
// are checked and stored, then defaults are added.

const {
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  ObjectEntries,
  ObjectPrototypeHasOwnProperty,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
} = primordials;

const {
  codes: {
    ERR_INVALID_ARG_VALUE,
    ERR_PARSE_ARGS_INVALID_OPTION_VALUE,
    ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL,
    ERR_PARSE_ARGS_UNKNOWN_OPTION,
  },
} = require('internal/errors');
const {
  validateArray,
  validateBoolean,
  validateBooleanArray,
  validateObject,
  validateString,
  validateStringArray,
  validateUnion,
} = require('internal/validators');
const { kEmptyObject } = require('internal/util');

function own(object, key) {
  return ObjectPrototypeHasOwnProperty(object, key) ? object[key] : undefined;
}

function settingOf(options, name, setting) {
  const option = own(options, name);
  return option === undefined ? undefined : own(option, setting);
}

// The arguments after the script on the command line; with -e there is no script.
function mainArguments() {
  const { argv, execArgv } = process;
  for (let i = 0; i < execArgv.length; i++) {
    const option = execArgv[i];
    if (option === '-e' || option === '--eval' || option === '-p' || option === '-pe' || option === '--print' ||
        StringPrototypeStartsWith(option, '--eval=')) {
      return ArrayPrototypeSlice(argv, 1);
    }
  }
  return ArrayPrototypeSlice(argv, 2);
}

function longNameOf(short, entries) {
  for (let i = 0; i < entries.length; i++) {
    if (own(entries[i][1], 'short') === short) return entries[i][0];
  }
  return short;
}

// Splits the arguments into tokens. This depends on the options in two ways only: the short letters, and whether an
// option takes the next argument as its value.
class Tokenizer {
  constructor(args, options) {
    this.args = args;
    this.options = options;
    this.entries = ObjectEntries(options);
    this.index = 0;
    this.tokens = [];
  }

  run() {
    for (; this.index < this.args.length; this.index++) {
      const arg = this.args[this.index];
      if (arg === '--') {
        this.terminate();
        break;
      }
      if (typeof arg === 'string' && arg.length > 1 && arg[0] === '-') {
        if (arg[1] !== '-') this.takeShort(arg);
        else this.takeLong(arg);
      } else {
        this.pushPositional(this.index, arg);
      }
    }
    return this.tokens;
  }

  terminate() {
    ArrayPrototypePush(this.tokens, { kind: 'option-terminator', index: this.index });
    for (let i = this.index + 1; i < this.args.length; i++) this.pushPositional(i, this.args[i]);
  }

  takesValue(name) {
    return settingOf(this.options, name, 'type') === 'string';
  }

  pushPositional(index, value) {
    ArrayPrototypePush(this.tokens, { kind: 'positional', index, value });
  }

  pushOption(name, rawName, value, inlineValue) {
    ArrayPrototypePush(this.tokens, { kind: 'option', name, rawName, index: this.index, value, inlineValue });
  }

  // Takes the next argument as the value if the option has one.
  pushAlone(name, rawName) {
    const next = this.args[this.index + 1];
    if (this.takesValue(name) && next !== undefined && next !== null) {
      this.pushOption(name, rawName, next, false);
      this.index++;
    } else {
      this.pushOption(name, rawName, undefined, undefined);
    }
  }

  // -f, -fVALUE, or -abf, where only the last letter may take a value.
  takeShort(arg) {
    for (let i = 1; i < arg.length; i++) {
      const name = longNameOf(arg[i], this.entries);
      const rawName = `-${arg[i]}`;
      if (i === arg.length - 1) {
        this.pushAlone(name, rawName);
      } else if (this.takesValue(name)) {
        this.pushOption(name, rawName, StringPrototypeSlice(arg, i + 1), true);
        return;
      } else {
        this.pushOption(name, rawName, undefined, undefined);
      }
    }
  }

  // --name or --name=VALUE; a name has at least one character.
  takeLong(arg) {
    const equals = StringPrototypeIndexOf(arg, '=', 3);
    if (equals === -1) {
      this.pushAlone(StringPrototypeSlice(arg, 2), arg);
      return;
    }
    const name = StringPrototypeSlice(arg, 2, equals);
    this.pushOption(name, `--${name}`, StringPrototypeSlice(arg, equals + 1), true);
  }
}

function isKnown(config, token) {
  const { options, allowNegative } = config;
  if (ObjectPrototypeHasOwnProperty(options, token.name)) return true;
  return allowNegative && StringPrototypeStartsWith(token.name, 'no-') &&
      settingOf(options, StringPrototypeSlice(token.name, 3), 'type') === 'boolean';
}

function checkUsage(config, token) {
  if (!isKnown(config, token)) throw new ERR_PARSE_ARGS_UNKNOWN_OPTION(token.rawName, config.allowPositionals);
  const short = settingOf(config.options, token.name, 'short');
  const type = settingOf(config.options, token.name, 'type');
  const names = `${short ? `-${short}, ` : ''}--${token.name}`;
  if (type === 'string' && typeof token.value !== 'string') {
    throw new ERR_PARSE_ARGS_INVALID_OPTION_VALUE(`Option '${names} <value>' argument missing`);
  }
  if (type === 'boolean' && token.value !== undefined && token.value !== null) {
    throw new ERR_PARSE_ARGS_INVALID_OPTION_VALUE(`Option '${names}' does not take an argument`);
  }
}

// "--foo --bar" is more likely a forgotten value than a value that looks like an option.
function checkAmbiguity(token) {
  const { rawName, value } = token;
  if (token.inlineValue || typeof value !== 'string' || value.length < 2 || value[0] !== '-') return;
  const example = StringPrototypeStartsWith(rawName, '--') ? `'${rawName}=-XYZ'` :
    `'--${token.name}=-XYZ' or '${rawName}-XYZ'`;
  throw new ERR_PARSE_ARGS_INVALID_OPTION_VALUE(
    `Option '${rawName}' argument is ambiguous.\n` +
    `Did you forget to specify the option argument for '${rawName}'?\n` +
    `To specify an option argument starting with a dash use ${example}.`);
}

function store(token, config, values) {
  if (token.name === '__proto__') return;
  let value = token.value ?? true;
  if (config.allowNegative && token.value === undefined && StringPrototypeStartsWith(token.name, 'no-')) {
    token.name = StringPrototypeSlice(token.name, 3);
    value = false;
  }
  const { name } = token;
  if (!settingOf(config.options, name, 'multiple')) {
    values[name] = value;
  } else if (values[name]) {
    ArrayPrototypePush(values[name], value);
  } else {
    values[name] = [value];
  }
}

function validateDefault(value, path, type, multiple) {
  if (type === 'string') {
    if (multiple) validateStringArray(value, path);
    else validateString(value, path);
  } else if (multiple) {
    validateBooleanArray(value, path);
  } else {
    validateBoolean(value, path);
  }
}

function validateOption(name, option) {
  const path = `options.${name}`;
  validateObject(option, path);
  const type = own(option, 'type');
  validateUnion(type, `${path}.type`, ['string', 'boolean']);
  if (ObjectPrototypeHasOwnProperty(option, 'short')) {
    validateString(option.short, `${path}.short`);
    if (option.short.length !== 1) {
      throw new ERR_INVALID_ARG_VALUE(`${path}.short`, option.short, 'must be a single character');
    }
  }
  const multiple = own(option, 'multiple');
  if (ObjectPrototypeHasOwnProperty(option, 'multiple')) validateBoolean(multiple, `${path}.multiple`);
  const value = own(option, 'default');
  if (value !== undefined) validateDefault(value, `${path}.default`, type, multiple);
}

function parseArgs(config = kEmptyObject) {
  const args = own(config, 'args') ?? mainArguments();
  const strict = own(config, 'strict') ?? true;
  const allowPositionals = own(config, 'allowPositionals') ?? !strict;
  const returnTokens = own(config, 'tokens') ?? false;
  const allowNegative = own(config, 'allowNegative') ?? false;
  const options = own(config, 'options') ?? { __proto__: null };
  validateArray(args, 'args');
  validateBoolean(strict, 'strict');
  validateBoolean(allowPositionals, 'allowPositionals');
  validateBoolean(returnTokens, 'tokens');
  validateBoolean(allowNegative, 'allowNegative');
  validateObject(options, 'options');
  const entries = ObjectEntries(options);
  for (let i = 0; i < entries.length; i++) validateOption(entries[i][0], entries[i][1]);

  const settled = { options, allowPositionals, allowNegative };
  const tokens = new Tokenizer(args, options).run();
  const result = { values: { __proto__: null }, positionals: [] };
  if (returnTokens) result.tokens = tokens;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token.kind === 'option') {
      if (strict) {
        checkUsage(settled, token);
        checkAmbiguity(token);
      }
      store(token, settled, result.values);
    } else if (token.kind === 'positional') {
      if (!allowPositionals) throw new ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL(token.value);
      ArrayPrototypePush(result.positionals, token.value);
    }
  }
  for (let i = 0; i < entries.length; i++) {
    const name = entries[i][0];
    const value = own(entries[i][1], 'default');
    if (value !== undefined && result.values[name] === undefined && name !== '__proto__') result.values[name] = value;
  }
  return result;
}

module.exports = { parseArgs };
