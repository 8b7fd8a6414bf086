'use strict';

// node:assert. The function itself is `ok`.

const {
  ArrayPrototypeIndexOf,
  ArrayPrototypeJoin,
  ArrayPrototypeSlice,
  Error,
  ObjectAssign,
  ObjectIs,
  RegExpPrototypeExec,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  StringPrototypeSplit,
  NumberIsNaN,
} = primordials;

const { codes: { ERR_INVALID_ARG_TYPE, ERR_MISSING_ARGS } } = require('internal/errors');
const { deprecate, isError } = require('internal/util');
const { inspect } = require('internal/util/inspect');
const { isRegExp } = require('internal/util/types');
const AssertionError = require('internal/assert/assertion_error');
const CallTracker = require('internal/assert/calltracker');
const {
  expectsError,
  expectsNoError,
  failWith,
  getActual,
  waitForActual,
} = require('internal/assert/exceptions');

// Loaded when a comparison first needs it.
let comparisons;
const lazyComparisons = () => comparisons ??= require('internal/util/comparisons');

let warnedOfFail = false;

function checkTwo(count) {
  if (count < 2) throw new ERR_MISSING_ARGS('actual', 'expected');
}

const assert = module.exports = ok;

function fail(actual, expected, message, operator, stackStartFn) {
  const count = arguments.length;
  let isDefault = false;
  if (actual == null && count <= 1) {
    isDefault = true;
    message = 'Failed';
  } else if (count === 1) {
    message = actual;
    actual = undefined;
  } else {
    if (!warnedOfFail) {
      warnedOfFail = true;
      process.emitWarning(
        'assert.fail() with more than one argument is deprecated. Please use assert.strictEqual() instead or only ' +
        'pass a message.',
        'DeprecationWarning',
        'DEP0094',
      );
    }
    if (count === 2) operator = '!=';
  }
  if (message instanceof Error) throw message;
  const options = {
    actual,
    expected,
    operator: operator === undefined ? 'fail' : operator,
    stackStartFn: stackStartFn || fail,
    message,
  };
  const error = new AssertionError(options);
  if (isDefault) error.generatedMessage = true;
  throw error;
}
assert.fail = fail;

assert.AssertionError = AssertionError;

function failOk(fn, count, value, message) {
  let isGenerated = false;
  if (count === 0) {
    isGenerated = true;
    message = 'No value argument passed to `assert.ok()`';
  } else if (message == null) {
    isGenerated = true;
    message = require('internal/assert/call_source').falsyMessage(fn);
  } else if (isError(message)) {
    throw message;
  }
  const error = new AssertionError({ actual: value, expected: true, message, operator: '==', stackStartFn: fn });
  error.generatedMessage = isGenerated;
  throw error;
}

function ok(...args) {
  if (!args[0]) failOk(ok, args.length, args[0], args[1]);
}
assert.ok = ok;

assert.equal = function equal(actual, expected, message) {
  checkTwo(arguments.length);
  // eslint-disable-next-line eqeqeq
  if (actual != expected && (!NumberIsNaN(actual) || !NumberIsNaN(expected))) {
    failWith({ actual, expected, message, operator: '==', stackStartFn: equal });
  }
};

assert.notEqual = function notEqual(actual, expected, message) {
  checkTwo(arguments.length);
  // eslint-disable-next-line eqeqeq
  if (actual == expected || (NumberIsNaN(actual) && NumberIsNaN(expected))) {
    failWith({ actual, expected, message, operator: '!=', stackStartFn: notEqual });
  }
};

assert.deepEqual = function deepEqual(actual, expected, message) {
  checkTwo(arguments.length);
  if (!lazyComparisons().isDeepEqual(actual, expected)) {
    failWith({ actual, expected, message, operator: 'deepEqual', stackStartFn: deepEqual });
  }
};

assert.notDeepEqual = function notDeepEqual(actual, expected, message) {
  checkTwo(arguments.length);
  if (lazyComparisons().isDeepEqual(actual, expected)) {
    failWith({ actual, expected, message, operator: 'notDeepEqual', stackStartFn: notDeepEqual });
  }
};

assert.deepStrictEqual = function deepStrictEqual(actual, expected, message) {
  checkTwo(arguments.length);
  if (!lazyComparisons().isDeepStrictEqual(actual, expected)) {
    failWith({ actual, expected, message, operator: 'deepStrictEqual', stackStartFn: deepStrictEqual });
  }
};

assert.notDeepStrictEqual = notDeepStrictEqual;
function notDeepStrictEqual(actual, expected, message) {
  checkTwo(arguments.length);
  if (lazyComparisons().isDeepStrictEqual(actual, expected)) {
    failWith({ actual, expected, message, operator: 'notDeepStrictEqual', stackStartFn: notDeepStrictEqual });
  }
}

assert.strictEqual = function strictEqual(actual, expected, message) {
  checkTwo(arguments.length);
  if (!ObjectIs(actual, expected)) {
    failWith({ actual, expected, message, operator: 'strictEqual', stackStartFn: strictEqual });
  }
};

assert.notStrictEqual = function notStrictEqual(actual, expected, message) {
  checkTwo(arguments.length);
  if (ObjectIs(actual, expected)) {
    failWith({ actual, expected, message, operator: 'notStrictEqual', stackStartFn: notStrictEqual });
  }
};

assert.throws = function throws(fn, ...args) {
  expectsError(throws, getActual(fn), ...args);
};

assert.rejects = async function rejects(promiseFn, ...args) {
  expectsError(rejects, await waitForActual(promiseFn), ...args);
};

assert.doesNotThrow = function doesNotThrow(fn, ...args) {
  expectsNoError(doesNotThrow, getActual(fn), ...args);
};

assert.doesNotReject = async function doesNotReject(fn, ...args) {
  expectsNoError(doesNotReject, await waitForActual(fn), ...args);
};

// The frames of where the error came from, below those of where it was found.
function joinStacks(found, original) {
  const start = StringPrototypeIndexOf(original, '\n    at');
  if (start === -1) return undefined;
  const originalFrames = StringPrototypeSplit(StringPrototypeSlice(original, start + 1), '\n');
  let frames = StringPrototypeSplit(found, '\n');
  for (let i = 0; i < originalFrames.length; i++) {
    const shared = ArrayPrototypeIndexOf(frames, originalFrames[i]);
    if (shared !== -1) {
      frames = ArrayPrototypeSlice(frames, 0, shared);
      break;
    }
  }
  return `${ArrayPrototypeJoin(frames, '\n')}\n${ArrayPrototypeJoin(originalFrames, '\n')}`;
}

assert.ifError = function ifError(value) {
  if (value === null || value === undefined) return;
  let text;
  if (typeof value === 'object' && typeof value.message === 'string') {
    text = value.message.length === 0 && value.constructor ? value.constructor.name : value.message;
  } else {
    text = inspect(value);
  }
  const error = new AssertionError({
    actual: value,
    expected: null,
    operator: 'ifError',
    message: `ifError got unwanted exception: ${text}`,
    stackStartFn: ifError,
  });
  const original = value.stack;
  if (typeof original === 'string') {
    const stack = joinStacks(error.stack, original);
    if (stack !== undefined) error.stack = stack;
  }
  throw error;
};

function checkMatch(string, regexp, message, fn, wanted) {
  if (!isRegExp(regexp)) throw new ERR_INVALID_ARG_TYPE('regexp', 'RegExp', regexp);
  if (typeof string === 'string' && (RegExpPrototypeExec(regexp, string) !== null) === wanted) return;
  if (message instanceof Error) throw message;
  let text = message;
  if (!text && typeof string !== 'string') {
    text = `The "string" argument must be of type string. Received type ${typeof string} (${inspect(string)})`;
  } else if (!text) {
    const complaint = wanted ? 'did not match' : 'was expected to not match';
    text = `The input ${complaint} the regular expression ${inspect(regexp)}. Input:\n\n${inspect(string)}\n`;
  }
  const error = new AssertionError({
    actual: string, expected: regexp, message: text, operator: fn.name, stackStartFn: fn,
  });
  error.generatedMessage = !message;
  throw error;
}

assert.match = function match(string, regexp, message) {
  checkMatch(string, regexp, message, match, true);
};

assert.doesNotMatch = function doesNotMatch(string, regexp, message) {
  checkMatch(string, regexp, message, doesNotMatch, false);
};

assert.CallTracker = deprecate(CallTracker, 'assert.CallTracker is deprecated.', 'DEP0173');

// The same functions, where the loose ones are the strict ones.
function strict(...args) {
  if (!args[0]) failOk(strict, args.length, args[0], args[1]);
}
assert.strict = ObjectAssign(strict, assert, {
  equal: assert.strictEqual,
  deepEqual: assert.deepStrictEqual,
  notEqual: assert.notStrictEqual,
  notDeepEqual: assert.notDeepStrictEqual,
});
assert.strict.strict = assert.strict;
