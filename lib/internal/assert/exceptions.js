'use strict';

// assert.throws(), rejects() and their opposites: comparison of the thrown value with the expected one.

const {
  ArrayPrototypePush,
  Error,
  ErrorPrototypeToString,
  ObjectKeys,
  ObjectPrototypeIsPrototypeOf,
  ReflectApply,
  RegExpPrototypeExec,
  String,
  Symbol,
} = primordials;

const {
  codes: {
    ERR_AMBIGUOUS_ARGUMENT,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_INVALID_RETURN_VALUE,
  },
} = require('internal/errors');
const { validateFunction } = require('internal/validators');
const { isError } = require('internal/util');
const { format, inspect } = require('internal/util/inspect');
const { isPromise, isRegExp } = require('internal/util/types');
const AssertionError = require('internal/assert/assertion_error');

const kNothingThrown = Symbol('kNothingThrown');

// Builds the message from the last arguments of an assertion: a text, a format with its values, or a function that
// returns the text. An Error in their place is thrown unchanged.
function messageOf({ 0: first, length }, actual, expected, args) {
  if (length === 0) return undefined;
  if (typeof first === 'string') return length > 1 ? format(...args) : first;
  if (isError(first)) {
    if (length === 1) throw first;
    throw new ERR_AMBIGUOUS_ARGUMENT('message', 'The error message was passed as error object ' +
      `"${ErrorPrototypeToString(first)}" has trailing arguments that would be ignored.`);
  }
  if (typeof first !== 'function') throw new ERR_INVALID_ARG_TYPE('message', ['string', 'function'], first);
  if (length > 1) {
    throw new ERR_AMBIGUOUS_ARGUMENT('message', `The error message with function "${first.name || 'anonymous'}" ` +
      'has trailing arguments that would be ignored.');
  }
  try {
    const message = first(actual, expected);
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

// Throws an AssertionError. `message` is the array of message arguments.
function failWith(options) {
  const { message, actual, expected, generatedMessage } = options;
  options.message = messageOf(message, actual, expected, message);
  const error = new AssertionError(options);
  if (generatedMessage !== undefined) error.generatedMessage = generatedMessage;
  throw error;
}

function fulfils(pattern, text) {
  return RegExpPrototypeExec(pattern, text) !== null;
}

const matchesText = (value, pattern) => typeof value === 'string' && isRegExp(pattern) && fulfils(pattern, value);

// The properties of an object that a message shows: the expected keys. A string matched by a regular expression is
// shown as in the actual object, so that it does not appear as a difference.
class Comparison {
  constructor(object, keys, actual) {
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      if (!(key in object)) continue;
      this[key] = actual !== undefined && matchesText(actual[key], object[key]) ? actual[key] : object[key];
    }
  }
}

function checkKey(actual, expected, key, message, keys, fn) {
  const { isDeepStrictEqual } = require('internal/util/comparisons'); // Lazily: few programs need it.
  if (key in actual && isDeepStrictEqual(actual[key], expected[key])) return;
  if (message) failWith({ actual, expected, message: [message], operator: fn.name, stackStartFn: fn });
  const error = new AssertionError({
    actual: new Comparison(actual, keys),
    expected: new Comparison(expected, keys, actual),
    operator: 'deepStrictEqual',
    stackStartFn: fn,
  });
  error.actual = actual;
  error.expected = expected;
  error.operator = fn.name;
  throw error;
}

function checkProperties(actual, expected, message, fn) {
  if (typeof actual !== 'object' || actual === null) {
    const error = new AssertionError({ actual, expected, message, operator: 'deepStrictEqual', stackStartFn: fn });
    error.operator = fn.name;
    throw error;
  }
  const keys = ObjectKeys(expected);
  if (expected instanceof Error) {
    ArrayPrototypePush(keys, 'name', 'message');
  } else if (keys.length === 0) {
    throw new ERR_INVALID_ARG_VALUE('error', expected, 'may not be an empty object');
  }
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    // Read the expected property only if needed: it may be a getter.
    if (typeof actual[key] === 'string' && matchesText(actual[key], expected[key])) continue;
    checkKey(actual, expected, key, message, keys, fn);
  }
}

// Returns the message if `actual` does not match `expected`; undefined if it matches.
function complaint(actual, expected) {
  if (isRegExp(expected)) {
    const text = String(actual);
    return fulfils(expected, text) ?
      undefined :
      `The input did not match the regular expression ${inspect(expected)}. Input:\n\n${inspect(text)}\n`;
  }
  if (expected.prototype !== undefined && actual instanceof expected) return undefined;
  if (ObjectPrototypeIsPrototypeOf(Error, expected)) {
    const start = `The error is expected to be an instance of "${expected.name}". Received `;
    if (!isError(actual)) return `${start}"${inspect(actual, { depth: -1 })}"`;
    const name = actual.constructor?.name || actual.name;
    const what = expected.name === name ? 'an error with identical name but a different prototype.' : `"${name}"`;
    return `${start}${what}${actual.message ? `\n\nError message:\n\n${actual.message}` : ''}`;
  }
  const result = ReflectApply(expected, {}, [actual]);
  if (result === true) return undefined;
  const name = expected.name ? `"${expected.name}" ` : '';
  const end = isError(actual) ? `\n\nCaught error:\n\n${actual}` : '';
  return `The ${name}validation function is expected to return "true". Received ${inspect(result)}${end}`;
}

function checkException(actual, expected, message, fn) {
  if (typeof expected !== 'function' && !isRegExp(expected)) {
    checkProperties(actual, expected, message, fn);
    return;
  }
  const wrong = complaint(actual, expected);
  if (wrong === undefined) return;
  const error = new AssertionError({
    actual, expected, message: message || wrong, operator: fn.name, stackStartFn: fn,
  });
  error.generatedMessage = !message;
  throw error;
}

const kindOf = (fn) => (fn.name === 'rejects' || fn.name === 'doesNotReject' ? 'rejection' : 'exception');

function expectsError(fn, actual, error, message) {
  if (typeof error === 'string') {
    if (arguments.length === 4) {
      throw new ERR_INVALID_ARG_TYPE('error', ['Object', 'Error', 'Function', 'RegExp'], error);
    }
    // The author of the test probably meant to compare the message.
    if (typeof actual === 'object' && actual !== null) {
      if (actual.message === error) {
        throw new ERR_AMBIGUOUS_ARGUMENT(
          'error/message', `The error message "${actual.message}" is identical to the message.`);
      }
    } else if (actual === error) {
      throw new ERR_AMBIGUOUS_ARGUMENT('error/message', `The error "${actual}" is identical to the message.`);
    }
    message = error;
    error = undefined;
  } else if (error != null && typeof error !== 'object' && typeof error !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('error', ['Object', 'Error', 'Function', 'RegExp'], error);
  }

  if (actual === kNothingThrown) {
    const name = error?.name ? ` (${error.name})` : '';
    const details = `${name}${message ? `: ${message}` : '.'}`;
    failWith({
      actual: undefined,
      expected: error,
      operator: fn.name,
      message: [`Missing expected ${kindOf(fn)}${details}`],
      stackStartFn: fn,
    });
  }
  if (error) checkException(actual, error, message, fn);
}

function isUnwanted(actual, expected) {
  if (typeof expected !== 'function') {
    if (isRegExp(expected)) return fulfils(expected, String(actual));
    throw new ERR_INVALID_ARG_TYPE('expected', ['Function', 'RegExp'], expected);
  }
  if (expected.prototype !== undefined && actual instanceof expected) return true;
  if (ObjectPrototypeIsPrototypeOf(Error, expected)) return false;
  return ReflectApply(expected, {}, [actual]) === true;
}

function expectsNoError(fn, actual, error, message) {
  if (actual === kNothingThrown) return;
  if (typeof error === 'string') {
    message = error;
    error = undefined;
  }
  if (!error || isUnwanted(actual, error)) {
    const details = message ? `: ${message}` : '.';
    failWith({
      actual,
      expected: error,
      operator: fn.name,
      message: [`Got unwanted ${kindOf(fn)}${details}\nActual message: "${actual?.message}"`],
      stackStartFn: fn,
    });
  }
  throw actual;
}

// Calls `fn` and returns its exception.
function getActual(fn) {
  validateFunction(fn, 'fn');
  try {
    fn();
  } catch (error) {
    return error;
  }
  return kNothingThrown;
}

function isThenable(value) {
  return isPromise(value) || (value !== null && typeof value === 'object' && typeof value.then === 'function' &&
    typeof value.catch === 'function');
}

// Waits for a promise, or for the promise that a function returns, and returns its rejection.
async function waitForActual(promiseFn) {
  let promise = promiseFn;
  if (typeof promiseFn === 'function') {
    promise = promiseFn();
    if (!isThenable(promise)) throw new ERR_INVALID_RETURN_VALUE('instance of Promise', 'promiseFn', promise);
  } else if (!isThenable(promiseFn)) {
    throw new ERR_INVALID_ARG_TYPE('promiseFn', ['Function', 'Promise'], promiseFn);
  }
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return kNothingThrown;
}

module.exports = { expectsError, expectsNoError, failWith, getActual, waitForActual };
