'use strict';

// AssertionError, and its messages about the compared values.

const {
  ArrayPrototypeJoin,
  ArrayPrototypeSlice,
  Error,
  ErrorCaptureStackTrace,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectGetPrototypeOf,
  ObjectPrototypeHasOwnProperty,
  String,
  StringPrototypeSlice,
  StringPrototypeSplit,
} = primordials;

const { kIsNodeError } = require('internal/errors');
const { validateObject } = require('internal/validators');
const { customInspectSymbol, isError } = require('internal/util');
const { inspect } = require('internal/util/inspect');

// Loaded lazily, because most assertions hold.
let differences;
const lazyDifferences = () => differences ??= require('internal/assert/diff');

const shorten = (text, most) => (text.length > most ? `${StringPrototypeSlice(text, 0, most - 3)}...` : text);

// Builds the message for two values that should have been different.
function describeUnwantedEquality(actual, operator, isFull) {
  const { headlines, inspectValue, isObject, shortenLines } = lazyDifferences();
  const byIdentity = operator === 'notStrictEqual' && (isObject(actual) || typeof actual === 'function');
  const head = headlines[byIdentity ? 'notStrictEqualObject' : operator];
  const allLines = StringPrototypeSplit(inspectValue(actual), '\n');
  const lines = isFull ? allLines : shortenLines(allLines);
  if (lines.length === 1) return `${head}${lines[0].length > 5 ? '\n\n' : ' '}${lines[0]}`;
  return `${head}\n\n${ArrayPrototypeJoin(lines, '\n')}\n`;
}

function describeOther(actual, expected, operator, isFull) {
  const { headlines, inspectValue } = lazyDifferences();
  let first = inspectValue(actual);
  let second = inspectValue(expected);
  if (operator === 'notDeepEqual' && first === second) {
    const text = `${headlines.notDeepEqual}\n\n${first}`;
    return text.length > 1024 && !isFull ? `${StringPrototypeSlice(text, 0, 1021)}...` : text;
  }
  if (!isFull) {
    first = shorten(first, 512);
    second = shorten(second, 512);
  }
  if (operator === 'deepEqual') return `${headlines.deepEqual}\n\n${first}\n\nshould loosely deep-equal\n\n${second}`;
  if (operator === 'notDeepEqual') {
    return `${headlines.notDeepEqualUnequal}\n\n${first}\n\nshould not loosely deep-equal\n\n${second}`;
  }
  return `${first} ${operator} ${second}`;
}

// Copies an error without its stack: stacks of two errors always differ, and must not appear in the comparison.
function withoutStack(error) {
  const copy = ObjectAssign({ __proto__: ObjectGetPrototypeOf(error) }, error);
  ObjectDefineProperty(copy, 'message', { __proto__: null, value: error.message });
  if (ObjectPrototypeHasOwnProperty(error, 'cause')) {
    const { cause } = error;
    ObjectDefineProperty(copy, 'cause', { __proto__: null, value: isError(cause) ? withoutStack(cause) : cause });
  }
  return copy;
}

const showsDifference = (operator) =>
  operator === 'deepStrictEqual' || operator === 'strictEqual' || operator === 'partialDeepStrictEqual';

function makeMessage(actual, expected, operator, message, diff) {
  const { describeDifference, isObject } = lazyDifferences();
  if (message != null) {
    return showsDifference(operator) ? describeDifference(actual, expected, operator, message, diff) : String(message);
  }
  require('internal/util/colors').refresh();
  if (isObject(actual) && isObject(expected) && 'stack' in actual && actual instanceof Error &&
      'stack' in expected && expected instanceof Error) {
    actual = withoutStack(actual);
    expected = withoutStack(expected);
  }
  if (showsDifference(operator)) return describeDifference(actual, expected, operator, message, diff);
  const isFull = diff === 'full';
  if (operator === 'notDeepStrictEqual' || operator === 'notStrictEqual') {
    return describeUnwantedEquality(actual, operator, isFull);
  }
  return describeOther(actual, expected, operator, isFull);
}

// Shortens long strings for the inspection of the error.
function addEllipsis(text) {
  const lines = StringPrototypeSplit(text, '\n', 11);
  if (lines.length > 10) return `${ArrayPrototypeJoin(ArrayPrototypeSlice(lines, 0, 10), '\n')}\n...`;
  return text.length > 512 ? `${StringPrototypeSlice(text, 512)}...` : text;
}

class AssertionError extends Error {
  constructor(options) {
    validateObject(options, 'options');
    const { message, operator, stackStartFn, details, stackStartFunction, actual, expected, diff = 'simple' } = options;
    super(makeMessage(actual, expected, operator, message, diff));
    this.generatedMessage = !message;
    ObjectDefineProperty(this, 'name', {
      __proto__: null,
      value: 'AssertionError',
      enumerable: false,
      writable: true,
      configurable: true,
    });
    this.code = 'ERR_ASSERTION';
    if (details) {
      this.actual = undefined;
      this.expected = undefined;
      this.operator = undefined;
      for (let i = 0; i < details.length; i++) {
        this[`message ${i}`] = details[i].message;
        this[`actual ${i}`] = details[i].actual;
        this[`expected ${i}`] = details[i].expected;
        this[`operator ${i}`] = details[i].operator;
        this[`stack trace ${i}`] = details[i].stack;
      }
    } else {
      this.actual = actual;
      this.expected = expected;
      this.operator = operator;
    }
    ErrorCaptureStackTrace(this, stackStartFn || stackStartFunction);
    this.diff = diff;
  }

  // Makes the stack show the code after the name.
  get [kIsNodeError]() {
    return true;
  }

  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  [customInspectSymbol](recurseTimes, context) {
    // The values may be long and are already in the message, so they are shortened here.
    const { actual, expected } = this;
    if (typeof actual === 'string') this.actual = addEllipsis(actual);
    if (typeof expected === 'string') this.expected = addEllipsis(expected);
    const text = inspect(this, { ...context, customInspect: false, depth: 0 });
    this.actual = actual;
    this.expected = expected;
    return text;
  }
}

module.exports = AssertionError;
