'use strict';
// The option `ignore` of fs.watch(), which selects names that are not reported.

const { ArrayIsArray, ArrayPrototypePush, RegExpPrototypeExec, StringPrototypeIncludes } = primordials;

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { isRegExp } = require('internal/util/types');
const { makeMatcher } = require('internal/path/glob');
const { basename } = require('path');

function makeTest(value, name) {
  if (typeof value === 'string') {
    if (value === '') throw new ERR_INVALID_ARG_VALUE(name, value, 'must be a non-empty string');
    const matches = makeMatcher(value, false);
    // A pattern without a slash matches the base name.
    if (StringPrototypeIncludes(value, '/')) return (filename) => matches(`${filename}`);
    return (filename) => matches(`${filename}`) || matches(basename(`${filename}`));
  }
  if (isRegExp(value)) return (filename) => RegExpPrototypeExec(value, `${filename}`) !== null;
  if (typeof value === 'function') return value;
  throw new ERR_INVALID_ARG_TYPE(name, ['string', 'RegExp', 'Function'], value);
}

// Returns a function that is true for ignored names, or null without the option.
function makeIgnore(ignore) {
  if (ignore === undefined || ignore === null) return null;
  const tests = [];
  if (ArrayIsArray(ignore)) {
    for (let i = 0; i < ignore.length; i++) ArrayPrototypePush(tests, makeTest(ignore[i], `options.ignore[${i}]`));
  } else {
    ArrayPrototypePush(tests, makeTest(ignore, 'options.ignore'));
  }
  return (filename) => {
    for (let i = 0; i < tests.length; i++) {
      if (tests[i](filename)) return true;
    }
    return false;
  };
}

module.exports = { makeIgnore };
