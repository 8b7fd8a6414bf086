'use strict';

// Values whose text is a single word: regular expressions, dates and wrapped primitives.

const {
  ArrayPrototypeSplice,
  BigIntPrototypeValueOf,
  BooleanPrototypeValueOf,
  DatePrototypeGetTime,
  DatePrototypeToISOString,
  DatePrototypeToString,
  NumberIsNaN,
  NumberPrototypeValueOf,
  RegExp,
  RegExpPrototypeToString,
  StringPrototypeToLowerCase,
  StringPrototypeValueOf,
  SymbolPrototypeValueOf,
} = primordials;

const { isBigIntObject, isBooleanObject, isNumberObject, isStringObject } = internalBinding('types');
const { formatPrimitive } = require('internal/util/inspect/primitives');
const { stylizeNoColor } = require('internal/util/inspect/styles');

function regExpBase(value, shape) {
  // Without its prototype it has neither source nor flags; a copy has them.
  const text = RegExpPrototypeToString(shape.name === null ? new RegExp(value) : value);
  const prefix = shape.prefix('RegExp');
  return prefix === 'RegExp ' ? text : prefix + text;
}

function dateBase(value, shape) {
  const text = NumberIsNaN(DatePrototypeGetTime(value)) ? DatePrototypeToString(value) :
    DatePrototypeToISOString(value);
  const prefix = shape.prefix('Date');
  return prefix === 'Date ' ? text : prefix + text;
}

function boxedBase(value, ctx, shape) {
  let type;
  let primitive;
  if (isNumberObject(value)) {
    type = 'Number';
    primitive = NumberPrototypeValueOf(value);
  } else if (isStringObject(value)) {
    type = 'String';
    primitive = StringPrototypeValueOf(value);
    // Its characters are keys too, and come first.
    ArrayPrototypeSplice(shape.keys, 0, primitive.length);
  } else if (isBooleanObject(value)) {
    type = 'Boolean';
    primitive = BooleanPrototypeValueOf(value);
  } else if (isBigIntObject(value)) {
    type = 'BigInt';
    primitive = BigIntPrototypeValueOf(value);
  } else {
    type = 'Symbol';
    primitive = SymbolPrototypeValueOf(value);
  }
  let base = `[${type}`;
  if (shape.name === null) base += ' (null prototype)';
  else if (shape.name !== type) base += ` (${shape.name})`;
  base += `: ${formatPrimitive(stylizeNoColor, primitive, ctx)}]`;
  if (shape.tag !== '' && shape.tag !== shape.name) base += ` [${shape.tag}]`;
  if (shape.keys.length !== 0 || ctx.stylize === stylizeNoColor) return base;
  return ctx.stylize(base, StringPrototypeToLowerCase(type));
}

exports.regExpBase = regExpBase;
exports.dateBase = dateBase;
exports.boxedBase = boxedBase;
