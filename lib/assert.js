'use strict';

// node:assert. The exported function is `ok`; its methods are those of an Assert instance with default options.

const {
  ArrayPrototypeIndexOf,
  ArrayPrototypeJoin,
  ArrayPrototypeSlice,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectIs,
  RegExpPrototypeExec,
  SafeArrayIterator,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  StringPrototypeSplit,
  NumberIsNaN,
  Symbol,
} = primordials;

const { codes: { ERR_CONSTRUCT_CALL_REQUIRED, ERR_INVALID_ARG_TYPE, ERR_MISSING_ARGS } } = require('internal/errors');
const { isError } = require('internal/util');
const { validateOneOf } = require('internal/validators');
const { inspect } = require('internal/util/inspect');
const { isRegExp } = require('internal/util/types');
const AssertionError = require('internal/assert/assertion_error');

// Loaded when an assertion first fails, or first calls a function of the program.
let exceptions;
const lazyExceptions = () => exceptions ??= require('internal/assert/exceptions');
const failWith = (options) => lazyExceptions().failWith(options);
// Loaded when a comparison first needs it.
let comparisons;
const lazyComparisons = () => comparisons ??= require('internal/util/comparisons');

function checkTwo(count) {
  if (count < 2) throw new ERR_MISSING_ARGS('actual', 'expected');
}

// Key of an Assert instance's options. Missing when a method is called detached from its instance.
const kOptions = Symbol('options');

function Assert(options) {
  if (new.target === undefined) throw new ERR_CONSTRUCT_CALL_REQUIRED('Assert');
  options = ObjectAssign({ __proto__: null, strict: true, skipPrototype: false }, options);
  if (options.diff !== undefined) validateOneOf(options.diff, 'options.diff', ['simple', 'full']);
  this.AssertionError = AssertionError;
  ObjectDefineProperty(this, kOptions, { __proto__: null, value: options });
  if (!options.strict) return;
  this.equal = this.strictEqual;
  this.deepEqual = this.deepStrictEqual;
  this.notEqual = this.notStrictEqual;
  this.notDeepEqual = this.notDeepStrictEqual;
}
const methods = Assert.prototype;

const assert = module.exports = function assert(...args) {
  if (!args[0]) failOk(assert, args);
};
assert.AssertionError = AssertionError;

function failOk(fn, args) {
  let message;
  let generatedMessage = true;
  if (args.length === 0) {
    message = ['No value argument passed to `assert.ok()`'];
  } else if (args[1] == null) {
    const text = require('internal/assert/call_source').falsyMessage(fn);
    message = text === undefined ? [] : [text];
  } else {
    message = ArrayPrototypeSlice(args, 1);
    generatedMessage = false;
  }
  failWith({ actual: args[0], expected: true, message, operator: '==', stackStartFn: fn, generatedMessage });
}

methods.ok = function ok(...args) {
  if (!args[0]) failOk(ok, args);
};

methods.fail = function fail(message) {
  if (isError(message)) throw message;
  const isDefault = message === undefined;
  const error = new AssertionError({
    operator: 'fail',
    stackStartFn: fail,
    message: isDefault ? 'Failed' : message,
    diff: this?.[kOptions]?.diff,
  });
  if (isDefault) error.generatedMessage = true;
  throw error;
};

function failComparison(self, actual, expected, message, operator, stackStartFn) {
  failWith({ actual, expected, message, operator, stackStartFn, diff: self?.[kOptions]?.diff });
}

methods.equal = function equal(actual, expected, ...message) {
  checkTwo(arguments.length);
  // eslint-disable-next-line eqeqeq
  if (actual != expected && (!NumberIsNaN(actual) || !NumberIsNaN(expected))) {
    failComparison(this, actual, expected, message, '==', equal);
  }
};

methods.notEqual = function notEqual(actual, expected, ...message) {
  checkTwo(arguments.length);
  // eslint-disable-next-line eqeqeq
  if (actual == expected || (NumberIsNaN(actual) && NumberIsNaN(expected))) {
    failComparison(this, actual, expected, message, '!=', notEqual);
  }
};

methods.deepEqual = function deepEqual(actual, expected, ...message) {
  checkTwo(arguments.length);
  if (!lazyComparisons().isDeepEqual(actual, expected)) {
    failComparison(this, actual, expected, message, 'deepEqual', deepEqual);
  }
};

methods.notDeepEqual = function notDeepEqual(actual, expected, ...message) {
  checkTwo(arguments.length);
  if (lazyComparisons().isDeepEqual(actual, expected)) {
    failComparison(this, actual, expected, message, 'notDeepEqual', notDeepEqual);
  }
};

methods.deepStrictEqual = function deepStrictEqual(actual, expected, ...message) {
  checkTwo(arguments.length);
  if (!lazyComparisons().isDeepStrictEqual(actual, expected, this?.[kOptions]?.skipPrototype)) {
    failComparison(this, actual, expected, message, 'deepStrictEqual', deepStrictEqual);
  }
};

methods.notDeepStrictEqual = notDeepStrictEqual;
function notDeepStrictEqual(actual, expected, ...message) {
  checkTwo(arguments.length);
  if (lazyComparisons().isDeepStrictEqual(actual, expected, this?.[kOptions]?.skipPrototype)) {
    failComparison(this, actual, expected, message, 'notDeepStrictEqual', notDeepStrictEqual);
  }
}

methods.strictEqual = function strictEqual(actual, expected, ...message) {
  checkTwo(arguments.length);
  if (!ObjectIs(actual, expected)) failComparison(this, actual, expected, message, 'strictEqual', strictEqual);
};

methods.notStrictEqual = function notStrictEqual(actual, expected, ...message) {
  checkTwo(arguments.length);
  if (ObjectIs(actual, expected)) failComparison(this, actual, expected, message, 'notStrictEqual', notStrictEqual);
};

methods.partialDeepStrictEqual = function partialDeepStrictEqual(actual, expected, ...message) {
  checkTwo(arguments.length);
  if (!lazyComparisons().isPartialStrictEqual(actual, expected)) {
    failComparison(this, actual, expected, message, 'partialDeepStrictEqual', partialDeepStrictEqual);
  }
};

methods.throws = function throws(fn, ...args) {
  const { expectsError, getActual } = lazyExceptions();
  expectsError(throws, getActual(fn), ...new SafeArrayIterator(args));
};

methods.rejects = async function rejects(promiseFn, ...args) {
  const { expectsError, waitForActual } = lazyExceptions();
  expectsError(rejects, await waitForActual(promiseFn), ...new SafeArrayIterator(args));
};

methods.doesNotThrow = function doesNotThrow(fn, ...args) {
  const { expectsNoError, getActual } = lazyExceptions();
  expectsNoError(doesNotThrow, getActual(fn), ...new SafeArrayIterator(args));
};

methods.doesNotReject = async function doesNotReject(fn, ...args) {
  const { expectsNoError, waitForActual } = lazyExceptions();
  expectsNoError(doesNotReject, await waitForActual(fn), ...new SafeArrayIterator(args));
};

// Appends the stack frames of the original error to those of the error that reports it.
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

methods.ifError = function ifError(value) {
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
    diff: this?.[kOptions]?.diff,
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
  const generatedMessage = message.length === 0;
  if (!message[0]) {
    const complaint = wanted ? 'did not match' : 'was expected to not match';
    message[0] = typeof string !== 'string' ?
      `The "string" argument must be of type string. Received type ${typeof string} (${inspect(string)})` :
      `The input ${complaint} the regular expression ${inspect(regexp)}. Input:\n\n${inspect(string)}\n`;
  }
  failWith({ actual: string, expected: regexp, message, operator: fn.name, stackStartFn: fn, generatedMessage });
}

methods.match = function match(string, regexp, ...message) {
  checkMatch(string, regexp, message, match, true);
};

methods.doesNotMatch = function doesNotMatch(string, regexp, ...message) {
  checkMatch(string, regexp, message, doesNotMatch, false);
};

const names = [
  'ok', 'fail', 'equal', 'notEqual', 'deepEqual', 'notDeepEqual', 'deepStrictEqual', 'notDeepStrictEqual',
  'strictEqual', 'notStrictEqual', 'partialDeepStrictEqual', 'match', 'doesNotMatch', 'throws', 'rejects',
  'doesNotThrow',
  'doesNotReject', 'ifError',
];
for (let i = 0; i < names.length; i++) assert[names[i]] = methods[names[i]];

// The strict variant of the module: the loose comparisons are replaced with the strict ones.
function strict(...args) {
  if (!args[0]) failOk(strict, args);
}
assert.strict = ObjectAssign(strict, assert, {
  equal: assert.strictEqual,
  deepEqual: assert.deepStrictEqual,
  notEqual: assert.notStrictEqual,
  notDeepEqual: assert.notDeepStrictEqual,
});
assert.strict.Assert = Assert;
assert.strict.strict = assert.strict;
assert.Assert = Assert;
