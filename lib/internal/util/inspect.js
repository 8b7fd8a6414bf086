'use strict';

// util.inspect() and what belongs to it. The work is in internal/util/inspect/.

const { ObjectAssign, ObjectDefineProperties, SymbolFor } = primordials;

// The parts call each other's functions and this one; they find it here before they are run.
exports.inspect = inspect;

const { Context, defaultOptions } = require('internal/util/inspect/context');
const { colors, styles } = require('internal/util/inspect/styles');
const text = require('internal/util/inspect/text');
const { formatValue } = require('internal/util/inspect/value');
const { formatArguments } = require('internal/util/inspect/format');
const { formatBigInt, formatNumber } = require('internal/util/inspect/primitives');
const { isStackOverflow } = require('internal/util/inspect/errors');

// The old form inspect(value, showHidden, depth, colors) still works.
function inspect(value, options) {
  const ctx = new Context();
  if (arguments.length > 1) {
    if (arguments.length > 2) {
      if (arguments[2] !== undefined) ctx.depth = arguments[2];
      if (arguments.length > 3 && arguments[3] !== undefined) ctx.colors = arguments[3];
    }
    if (typeof options === 'boolean') ctx.showHidden = options;
    else if (options) ctx.take(options);
  }
  ctx.settle();
  return formatValue(ctx, value, 0);
}

inspect.custom = SymbolFor('nodejs.util.inspect.custom');

ObjectDefineProperties(inspect, {
  defaultOptions: {
    __proto__: null,
    get() { return defaultOptions; },
    set(options) {
      require('internal/validators').validateObject(options, 'options');
      return ObjectAssign(defaultOptions, options);
    },
  },
});
inspect.colors = colors;
inspect.styles = styles;

function format(...args) {
  return formatArguments(undefined, args);
}

function formatWithOptions(inspectOptions, ...args) {
  if (typeof inspectOptions !== 'object' || inspectOptions === null) {
    const { ERR_INVALID_ARG_TYPE } = require('internal/errors').codes;
    throw new ERR_INVALID_ARG_TYPE('inspectOptions', 'object', inspectOptions);
  }
  return formatArguments(inspectOptions, args);
}

function stripVTControlCharacters(string) {
  require('internal/validators').validateString(string, 'str');
  return text.stripControlSequences(string);
}

exports.format = format;
exports.formatWithOptions = formatWithOptions;
exports.formatArguments = formatArguments;
exports.formatNumber = formatNumber;
exports.formatBigInt = formatBigInt;
exports.getStringWidth = text.getStringWidth;
exports.stripVTControlCharacters = stripVTControlCharacters;
exports.isStackOverflow = isStackOverflow;
