'use strict';

// Formats values and lists for error messages.

const {
  ArrayPrototypeIncludes,
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  JSONStringify,
  RegExpPrototypeExec,
  String,
  StringPrototypeEndsWith,
  StringPrototypeIncludes,
  StringPrototypeSlice,
  StringPrototypeToLowerCase,
  hardenRegExp,
} = primordials;

let inspectModule;
function lazyInspect() {
  return inspectModule ??= require('internal/util/inspect');
}

// Inspects a value, and inspects it again without custom inspectors if one of those throws.
function inspectWithNoCustomRetry(value, options) {
  try {
    return lazyInspect().inspect(value, options);
  } catch {
    return lazyInspect().inspect(value, { ...options, customInspect: false });
  }
}

// Returns "a", "a or b", or "a, b, or c".
function formatList(list, conjunction = 'and') {
  const { length } = list;
  if (length < 3) return ArrayPrototypeJoin(list, ` ${conjunction} `);
  const head = ArrayPrototypeJoin(ArrayPrototypeSlice(list, 0, length - 1), ', ');
  return `${head}, ${conjunction} ${list[length - 1]}`;
}

// Describes a value for the part of an error message after "Received".
function determineSpecificType(value) {
  if (value === null) return 'null';
  const type = typeof value;
  switch (type) {
    case 'undefined':
      return 'undefined';
    case 'number':
      if (value === 0 && 1 / value < 0) return 'type number (-0)';
      return `type number (${value})`;
    case 'boolean':
      return `type boolean (${value})`;
    case 'bigint':
      return `type bigint (${value}n)`;
    case 'symbol':
      return `type symbol (${String(value)})`;
    case 'function':
      return `function ${value.name}`;
    case 'object':
      if (value.constructor && 'name' in value.constructor) return `an instance of ${value.constructor.name}`;
      return lazyInspect().inspect(value, { depth: -1 });
    default: {
      const text = value.length > 28 ? `${StringPrototypeSlice(value, 0, 25)}...` : value;
      return `type string (${StringPrototypeIncludes(text, "'") ? JSONStringify(text) : `'${text}'`})`;
    }
  }
}

const typeNames = ['string', 'function', 'number', 'object', 'Function', 'Object', 'boolean', 'bigint', 'symbol'];
const classPattern = hardenRegExp(/^([A-Z][a-z0-9]*)+$/);

// Returns the words after "must be": `of type string`, `an instance of Buffer or URL`, `one of ...`, in that order.
function describeExpected(expected) {
  const types = [];
  const classes = [];
  const rest = [];
  let object = false;
  for (let i = 0; i < expected.length; i++) {
    const name = expected[i];
    if (name === 'object' || name === 'Object') object = true;
    if (ArrayPrototypeIncludes(typeNames, name)) {
      ArrayPrototypePush(types, StringPrototypeToLowerCase(name));
    } else if (RegExpPrototypeExec(classPattern, name) !== null) {
      ArrayPrototypePush(classes, name);
    } else {
      ArrayPrototypePush(rest, name);
    }
  }
  // If there are classes, "object" is listed with them.
  let shown = types;
  if (object && classes.length > 0) {
    shown = [];
    for (let i = 0; i < types.length; i++) {
      if (types[i] !== 'object') ArrayPrototypePush(shown, types[i]);
    }
    ArrayPrototypePush(classes, 'Object');
  }
  const parts = [];
  if (shown.length > 0) {
    ArrayPrototypePush(parts, `${shown.length > 1 ? 'one of type' : 'of type'} ${formatList(shown, 'or')}`);
  }
  if (classes.length > 0) ArrayPrototypePush(parts, `an instance of ${formatList(classes, 'or')}`);
  if (rest.length > 1) {
    ArrayPrototypePush(parts, `one of ${formatList(rest, 'or')}`);
  } else if (rest.length === 1) {
    const article = StringPrototypeToLowerCase(rest[0]) === rest[0] ? '' : 'an ';
    ArrayPrototypePush(parts, `${article}${rest[0]}`);
  }
  return ArrayPrototypeJoin(parts, ' or ');
}

// Returns `"options.size" property` or `"size" argument`; a name that ends with "argument" is returned unchanged.
function describeName(name) {
  if (StringPrototypeEndsWith(name, ' argument')) return name;
  return `"${name}" ${StringPrototypeIncludes(name, '.') ? 'property' : 'argument'}`;
}

// Formats 12345678 as 12_345_678: groups digits from the right, after the sign.
function addNumericalSeparator(digits) {
  const start = digits[0] === '-' ? 1 : 0;
  let result = '';
  let end = digits.length;
  for (; end >= start + 4; end -= 3) result = `_${StringPrototypeSlice(digits, end - 3, end)}${result}`;
  return `${StringPrototypeSlice(digits, 0, end)}${result}`;
}

module.exports = {
  addNumericalSeparator,
  describeExpected,
  describeName,
  determineSpecificType,
  formatList,
  inspectWithNoCustomRetry,
  lazyInspect,
};
