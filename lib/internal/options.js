'use strict';
// The command-line options that src/cli/options.cc parsed, by name without dashes.

const { ArrayPrototypePush, StringPrototypeSlice, StringPrototypeStartsWith } = primordials;

let flags = { __proto__: null };

// Called at start-up with [[name, value]...].
function refreshOptions(list) {
  flags = { __proto__: null };
  for (let i = 0; i < list.length; i++) {
    const { 0: name, 1: value } = list[i];
    ArrayPrototypePush(flags[name] ??= [], value);
  }
}

// Returns the last value of an option, '' if the option has no value, undefined if the option is not set.
function getFlag(name) {
  const values = flags[name];
  return values === undefined ? undefined : values[values.length - 1];
}

function hasFlag(name) {
  return flags[name] !== undefined;
}

// Returns all values in order, for options that may be repeated.
function getFlags(name) {
  return flags[name] ?? [];
}

// Looks up an option by Node's spelling, for example '--no-warnings'.
function getOptionValue(option) {
  const name = StringPrototypeSlice(option, 2);
  const value = getFlag(name);
  if (name === 'conditions' || name === 'require' || name === 'import') return getFlags(name);
  if (value === undefined) return StringPrototypeStartsWith(option, '--no-') ? hasFlag(name) : false;
  return value === '' ? true : value;
}

module.exports = { refreshOptions, getFlag, getFlags, hasFlag, getOptionValue };
