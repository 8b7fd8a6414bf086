'use strict';

// util.format() and similar functions: printf for JavaScript values.

const {
  JSONStringify,
  Number,
  NumberParseFloat,
  NumberParseInt,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  ObjectPrototypeHasOwnProperty,
  String,
  StringPrototypeCharCodeAt,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  StringPrototypeSplit,
  SymbolToPrimitive,
} = primordials;

const { isProxy } = internalBinding('types');
const binding = internalBinding('util');
const { builtInNames } = require('internal/util/inspect/names');
const { formatBigInt, formatNumber } = require('internal/util/inspect/primitives');
const { stylizeNoColor } = require('internal/util/inspect/styles');
const { defaultOptions } = require('internal/util/inspect/context');
const api = require('internal/util/inspect');

const kPercent = 37;
const kLowerC = 99;
const kLowerD = 100;
const kLowerF = 102;
const kLowerI = 105;
const kLowerJ = 106;
const kLowerO = 111;
const kLowerS = 115;
const kUpperO = 79;

let circularMessage;

function firstLine(error) {
  return StringPrototypeSplit(error.message, '\n', 1)[0];
}

function stringify(value) {
  try {
    return JSONStringify(value);
  } catch (error) {
    // The engine has no error code for this: take its message from an example.
    if (circularMessage === undefined) {
      const circle = {};
      circle.circle = circle;
      try {
        JSONStringify(circle);
      } catch (example) {
        circularMessage = firstLine(example);
      }
    }
    if (error.name === 'TypeError' && firstLine(error) === circularMessage) return '[Circular]';
    throw error;
  }
}

// True if %s should show the object's structure, because its text would only be "[object Object]" or similar.
function hasBuiltInToString(value) {
  while (isProxy(value)) {
    value = binding.getProxyDetails(value, false);
    if (value === null) return true;
  }
  if (typeof value[SymbolToPrimitive] === 'function' && !isFromLanguage(value, SymbolToPrimitive)) return false;
  return typeof value.toString !== 'function' || isFromLanguage(value, 'toString');
}

// True if the method is inherited from a built-in class.
function isFromLanguage(value, method) {
  if (ObjectPrototypeHasOwnProperty(value, method)) return false;
  let owner = value;
  do {
    owner = ObjectGetPrototypeOf(owner);
  } while (!ObjectPrototypeHasOwnProperty(owner, method));
  const descriptor = ObjectGetOwnPropertyDescriptor(owner, 'constructor');
  return descriptor !== undefined && typeof descriptor.value === 'function' && builtInNames.has(descriptor.value.name);
}

function toText(value, options) {
  switch (typeof value) {
    case 'number':
      return formatNumber(stylizeNoColor, value, hasSeparators(options));
    case 'bigint':
      return formatBigInt(stylizeNoColor, value, hasSeparators(options));
    case 'object':
      if (value !== null && hasBuiltInToString(value)) {
        return api.inspect(value, { ...options, depth: 0, colors: false, compact: 3 });
      }
  }
  return String(value);
}

function hasSeparators(options) {
  return options?.numericSeparator ?? defaultOptions.numericSeparator;
}

function toNumberText(value, convert, options) {
  if (typeof value === 'symbol') return formatNumber(stylizeNoColor, NaN, false);
  return formatNumber(stylizeNoColor, convert(value), hasSeparators(options));
}

// The replacement of a placeholder; undefined if `code` is not one.
function substitute(code, value, options) {
  switch (code) {
    case kLowerS:
      return toText(value, options);
    case kLowerJ:
      return stringify(value);
    case kLowerD:
      return typeof value === 'bigint' ? formatBigInt(stylizeNoColor, value, hasSeparators(options)) :
        toNumberText(value, Number, options);
    case kLowerI:
      return typeof value === 'bigint' ? formatBigInt(stylizeNoColor, value, hasSeparators(options)) :
        toNumberText(value, NumberParseInt, options);
    case kLowerF:
      return toNumberText(value, NumberParseFloat, options);
    case kUpperO:
      return api.inspect(value, options);
    case kLowerO:
      return api.inspect(value, { ...options, showHidden: true, showProxy: true, depth: 4 });
    default:
      return '';
  }
}

function isPlaceholder(code) {
  switch (code) {
    case kLowerS: case kLowerJ: case kLowerD: case kLowerI: case kLowerF: case kUpperO: case kLowerO: case kLowerC:
      return true;
  }
  return false;
}

function formatArguments(options, args) {
  const first = args[0];
  let used = 0;
  let result = '';
  let separator = '';
  if (typeof first === 'string') {
    if (args.length === 1) return first;
    let position = StringPrototypeIndexOf(first, '%');
    let done = 0;
    while (position !== -1 && position < first.length - 1) {
      const code = StringPrototypeCharCodeAt(first, position + 1);
      const next = position + 2;
      if (code === kPercent) {
        result += StringPrototypeSlice(first, done, position + 1);
        done = next;
      } else if (used + 1 !== args.length && isPlaceholder(code)) {
        // In this order: what formats the value may throw, and must see the call as it was.
        const text = substitute(code, args[++used], options);
        if (done !== position) result += StringPrototypeSlice(first, done, position);
        result += text;
        done = next;
      }
      position = StringPrototypeIndexOf(first, '%', next);
    }
    if (done !== 0) {
      used++;
      separator = ' ';
      if (done < first.length) result += StringPrototypeSlice(first, done);
    }
  }
  for (; used < args.length; used++) {
    const value = args[used];
    result += separator;
    result += typeof value === 'string' ? value : api.inspect(value, options);
    separator = ' ';
  }
  return result;
}

exports.formatArguments = formatArguments;
